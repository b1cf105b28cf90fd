import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  findSyncAttempt,
  listDueSyncs,
  listStillDue,
  listSyncAttempts,
  type Organizations,
  reviveSyncAttempt,
  type SyncAttempt,
} from '../../db/bridge/sync-attempts.js';
import { recheckSync } from '../../starts/bridge.js';
import type { AdminClaims } from '../../platform/crypto/admin-token.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { instant } from '../instant.js';
import { codedErrors, codedHttpError, conflict, found, idOf } from '../http-errors.js';
import * as contract from './contract.js';

const common = { tags: ['Egress'], security: [{ adminToken: [] }] };
/** `support` reads what belongs to the own organizations; what belongs to none is the superadmins' (D96). */
const readers = { policy: { allows: ['support'] } } as const;
const superadmin = { policy: { allows: 'superadmin' } } as const;
const refusals = codedErrors(401, 403, 429, 500);
const params = z.object({ id: z.string() });
const position = z.object({ createdAt: instant, id: z.uuid() });
/** In one tick; the rest is found by the next one, or by the sweep. */
const maxPerTick = 500;
/** A try takes the EMR's calls of up to 21 s; what is still under way then goes on by itself. */
const tickWithinMs = 25_000;
const lookEveryMs = 100;

/** The ledger of what is written back to the EMR (page 3, Egress). */
export function syncAttemptRoutes(admin: App, { sql, temporal, logger }: ServiceContext): void {
  admin.get(
    '/emr-sync-attempts',
    {
      config: { ...readers, access: { action: 'sync.list' } },
      schema: {
        ...common,
        summary: 'The sync attempts, newest first',
        querystring: contract.syncQuery,
        response: { 200: contract.syncAttempts, ...codedErrors(400), ...refusals },
      },
    },
    async ({ admin, query: { limit, cursor, ...filter } }) => {
      const before = decodeCursor(cursor, position);
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listSyncAttempts(sql, supportedBy(admin), { ...filter, limit, before }),
        ({ createdAt, id }) => ({ createdAt, id }),
      );
      return { syncAttempts: page.map(presented), nextCursor };
    },
  );

  admin.get(
    '/emr-sync-attempts/:id',
    {
      config: { ...readers, access: { action: 'sync.read', record: 'id' } },
      schema: {
        ...common,
        summary: 'One sync attempt',
        params,
        response: { 200: contract.oneSyncAttempt, ...codedErrors(404), ...refusals },
      },
    },
    async ({ accessed, admin, params: { id } }) => {
      const own = await findSyncAttempt(sql, supportedBy(admin), idOf(id, 'Sync attempt'));
      const attempt = found(own, 'Sync attempt');
      accessed.organizationId = attempt.organizationId;
      return { syncAttempt: presented(attempt) };
    },
  );

  admin.post(
    '/emr-sync-attempts/:id/retry',
    {
      config: { ...superadmin, access: { action: 'sync.retry', record: 'id' } },
      schema: {
        ...common,
        summary: 'Begin a failed or abandoned one again, with 24 h before it',
        params,
        response: {
          200: contract.oneSyncAttempt,
          ...codedErrors(404),
          409: codedHttpError.describe('It is pending or has succeeded'),
          ...refusals,
        },
      },
    },
    async ({ params: { id } }) => {
      const attempt = found(await reviveSyncAttempt(sql, idOf(id, 'Sync attempt')), 'Sync attempt');
      if (attempt === 'busy') throw conflict('Only a failed or abandoned sync attempt can be retried');
      // Best effort: what is pending and due is found by the sweep too.
      await recheckSync(temporal, attempt.id).catch((err: unknown) =>
        logger.warn({ err }, 'a sync attempt waits for the sweep'),
      );
      return { syncAttempt: presented(attempt) };
    },
  );

  admin.post(
    '/admin/workers/emr-sync/tick',
    {
      config: { ...superadmin, access: { none: 'moves on what moves on by itself' } },
      schema: {
        ...common,
        summary: 'One pass over everything that is due, now',
        description:
          'Answers once each one has been tried, at the latest after 25 s, with how many were. No wait is shortened.',
        response: { 200: contract.processed, ...refusals },
      },
    },
    async () => {
      const deadline = Date.now() + tickWithinMs;
      const due = await listDueSyncs(sql, { overdueSeconds: 0, limit: maxPerTick });
      for (const id of due) await recheckSync(temporal, id);
      // Only those left are looked at again: one that was tried may be due once more before the last one is done.
      let left = due;
      while ((left = await listStillDue(sql, left)).length > 0 && Date.now() < deadline)
        await sleep(lookEveryMs);
      return { processed: due.length - left.length };
    },
  );
}

const supportedBy = ({ isSuperadmin, memberships }: AdminClaims): Organizations =>
  isSuperadmin ? 'all' : memberships.filter(({ role }) => role === 'support').map(({ orgId }) => orgId);

const presented = (attempt: SyncAttempt) => ({
  id: attempt.id,
  idempotency_key: attempt.idempotencyKey,
  internal_event_name: attempt.internalEventName,
  target_resource_type: attempt.targetResourceType,
  target_resource_id: attempt.targetResourceId,
  organization_id: attempt.organizationId,
  status: attempt.status,
  attempts: attempt.attempts,
  emr_response_status: attempt.emrResponseStatus,
  last_error: attempt.lastError,
  created_at: attempt.createdAt.toISOString(),
  updated_at: attempt.updatedAt.toISOString(),
});
