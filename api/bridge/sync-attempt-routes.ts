import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  findSyncAttempt,
  listDueSyncs,
  listStillDue,
  listSyncAttempts,
  type Organizations,
  reviveSyncAttempt,
} from '../../db/bridge/sync-attempts.js';
import { recheckSync } from '../../starts/bridge.js';
import type { AdminClaims } from '../../platform/crypto/admin-token.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { instant } from '../instant.js';
import { codedErrors, codedHttpError, conflict, found, idOf } from '../http-errors.js';
import { snakeCased } from '../snake-case.js';
import * as contract from './contract.js';

const common = { tags: ['Egress'], security: [{ adminToken: [] }] };
/** `support` reads attempts of its organizations. Only superadmins read attempts without one (D96). */
const readers = { policy: { allows: ['support'] } } as const;
const superadmin = { policy: { allows: 'superadmin' } } as const;
const errors = codedErrors(401, 403, 429, 500);
const params = z.object({ id: z.string() });
const position = z.object({ createdAt: instant, id: z.uuid() });
/** The next tick or the sweep takes the rest. */
const maxPerTick = 500;
/** Longer than one attempt, whose EMR calls take up to 21 s. Unfinished attempts continue after it. */
const tickWithinMs = 25_000;
const pollEveryMs = 100;

/** The attempts to write to the EMR (page 3, Egress). */
export function syncAttemptRoutes(admin: App, { sql, temporal, logger }: ServiceContext): void {
  admin.get(
    '/emr-sync-attempts',
    {
      config: { ...readers, access: { action: 'sync.list' } },
      schema: {
        ...common,
        summary: 'List the sync attempts, newest first',
        querystring: contract.syncQuery,
        response: { 200: contract.syncAttempts, ...codedErrors(400), ...errors },
      },
    },
    async ({ admin, query: { limit, cursor, ...filter } }) => {
      const before = decodeCursor(cursor, position);
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listSyncAttempts(sql, supportedBy(admin), { ...filter, limit, before }),
        ({ createdAt, id }) => ({ createdAt, id }),
      );
      return { syncAttempts: page.map(snakeCased), nextCursor };
    },
  );

  admin.get(
    '/emr-sync-attempts/:id',
    {
      config: { ...readers, access: { action: 'sync.read', record: 'id' } },
      schema: {
        ...common,
        summary: 'Get a sync attempt',
        params,
        response: { 200: contract.oneSyncAttempt, ...codedErrors(404), ...errors },
      },
    },
    async ({ accessed, admin, params: { id } }) => {
      const own = await findSyncAttempt(sql, supportedBy(admin), idOf(id, 'Sync attempt'));
      const attempt = found(own, 'Sync attempt');
      accessed.organizationId = attempt.organizationId;
      return { syncAttempt: snakeCased(attempt) };
    },
  );

  admin.post(
    '/emr-sync-attempts/:id/retry',
    {
      config: { ...superadmin, access: { action: 'sync.retry', record: 'id' } },
      schema: {
        ...common,
        summary: 'Retry a failed or abandoned sync attempt for another 24 h',
        params,
        response: {
          200: contract.oneSyncAttempt,
          ...codedErrors(404),
          409: codedHttpError.describe('The attempt is pending or has succeeded'),
          ...errors,
        },
      },
    },
    async ({ params: { id } }) => {
      const attempt = found(await reviveSyncAttempt(sql, idOf(id, 'Sync attempt')), 'Sync attempt');
      if (attempt === 'busy') throw conflict('Only a failed or abandoned sync attempt can be retried');
      // Best effort: the sweep finds due attempts too.
      await recheckSync(temporal, attempt.id).catch((err: unknown) =>
        logger.warn({ err }, 'a sync attempt waits for the sweep'),
      );
      return { syncAttempt: snakeCased(attempt) };
    },
  );

  admin.post(
    '/admin/workers/emr-sync/tick',
    {
      config: { ...superadmin, access: { none: 'runs due attempts earlier' } },
      schema: {
        ...common,
        summary: 'Run all due sync attempts now',
        description:
          'Answers with the number of attempts once all have run, after 25 s at most. Backoff delays are not shortened.',
        response: { 200: contract.processed, ...errors },
      },
    },
    async () => {
      const deadline = Date.now() + tickWithinMs;
      const due = await listDueSyncs(sql, { overdueSeconds: 0, limit: maxPerTick });
      for (const id of due) await recheckSync(temporal, id);
      // An attempt may be due again before the last one is done, so each counts once.
      let left = due;
      while ((left = await listStillDue(sql, left)).length > 0 && Date.now() < deadline)
        await sleep(pollEveryMs);
      return { processed: due.length - left.length };
    },
  );
}

const supportedBy = ({ isSuperadmin, memberships }: AdminClaims): Organizations =>
  isSuperadmin ? 'all' : memberships.filter(({ role }) => role === 'support').map(({ orgId }) => orgId);
