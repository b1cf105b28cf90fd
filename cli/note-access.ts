import { userInfo } from 'node:os';
import { insertAccessEvents } from '../db/access/access-events.js';
import type { Queryable } from '../db/client.js';
import type { AccessAction } from '../domain/access-events.js';

/** Records a change that a command makes directly in the database; call it in the transaction of the change. */
export const noteAccess = (sql: Queryable, action: AccessAction, record: string | null): Promise<void> =>
  insertAccessEvents(sql, [
    {
      actor: `rx:${userInfo().username}`,
      actorKind: 'system',
      action,
      record,
      organizationId: null,
      ip: null,
      userAgent: null,
      requestId: null,
      outcome: 'allowed',
    },
  ]);
