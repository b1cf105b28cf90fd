import { z } from 'zod';
import { listAccessEvents } from '../../db/access/access-events.js';
import { listAuditEvents } from '../../db/organization/audit.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { organizationsOf } from '../plugins/admin.js';
import { policiesOf } from './authorize.js';
import * as contract from './contract.js';
import { codedErrors } from '../http-errors.js';

const cursorPosition = z.string().regex(/^\d{1,18}$/);

/** The audit of changes in this service (D84) and of access to personal data in all services (D88). */
export function auditRoutes(admin: App, context: ServiceContext): void {
  admin.get(
    '/v1/access-events',
    {
      config: { policy: policiesOf(context).superadmin, access: { action: 'access.list' } },
      schema: {
        tags: ['Audit'],
        security: [{ adminToken: [] }],
        summary: 'List the access events of all services, newest first',
        querystring: contract.accessQuery,
        response: { 200: contract.accessEventList, ...codedErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({ query: { limit, cursor, ...filter } }) => {
      const before = decodeCursor(cursor, cursorPosition);
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listAccessEvents(context.sql, { ...filter, before, limit }),
        ({ position }) => position,
      );
      return { accessEvents: page, nextCursor };
    },
  );

  admin.get(
    '/v1/audit-events',
    {
      config: { policy: policiesOf(context).superadmin, access: { action: 'audit.list' } },
      schema: {
        tags: ['Audit'],
        security: [{ adminToken: [] }],
        summary: 'List audit events, newest first',
        querystring: contract.auditQuery,
        response: { 200: contract.auditEventList, ...codedErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({ admin: caller, query: { limit, cursor, ...filter } }) => {
      const before = decodeCursor(cursor, cursorPosition);
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listAuditEvents(context.sql, organizationsOf(caller), { ...filter, before, limit }),
        ({ position }) => position,
      );
      return { auditEvents: page, nextCursor };
    },
  );
}
