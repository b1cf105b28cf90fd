import { z } from 'zod';
import { listRetries, type RetryRecord, resetRetry } from '../../db/intake/retry-queue.js';
import { readSubmission } from '../../db/intake/submissions.js';
import { resumeIntake } from '../../starts/intake.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { registerAdmin } from '../plugins/admin.js';
import { admitsKnown } from '../plugins/admin-sessions.js';
import { conflict, fieldErrors, found, idOf } from '../http-errors.js';
import { snakeCased } from '../snake-case.js';
import * as contract from './contract.js';

const common = { tags: ['Operators'], security: [{ adminToken: [] }] };
const config = { policy: { allows: 'superadmin' as const } };
const params = z.object({ id: z.string() });
const errors = fieldErrors(401, 403, 429);

/** Submissions and EMR retries for operators (D63). Superadmins only. */
export async function operatorRoutes(app: App, context: ServiceContext): Promise<void> {
  const { sql } = context;
  await registerAdmin(app, context, { admits: admitsKnown(context, 'intake') }, (admin) => {
    admin.get(
      '/admin/intake-submissions/:id',
      {
        config: { ...config, access: { action: 'intake.read', record: 'id' } },
        schema: {
          ...common,
          summary: 'Get a submission',
          params,
          response: { 200: contract.submission, ...fieldErrors(404), ...errors },
        },
      },
      async ({ params: { id } }) => {
        const record = found(await readSubmission(sql, idOf(id, 'Submission')), 'Submission');
        return { submission: snakeCased(record) };
      },
    );

    admin.get(
      '/admin/intake-retries',
      {
        config: { ...config, access: { action: 'retry.list' } },
        schema: {
          ...common,
          summary: 'List the retries to create EMR patients, newest first',
          querystring: contract.retryQuery,
          response: { 200: contract.retries, ...fieldErrors(400), ...errors },
        },
      },
      async ({ query: { status, limit, cursor } }) => {
        const after = decodeCursor(cursor, z.uuid());
        const { page, nextCursor } = await pageOf(
          limit,
          (limit) => listRetries(sql, { status, after, limit }),
          ({ id }) => id,
        );
        return { retries: page.map(snakeCased), nextCursor };
      },
    );

    admin.post(
      '/admin/intake-retries/:id/reset',
      {
        config: { ...config, access: { action: 'intake.retry', record: 'id' } },
        schema: {
          ...common,
          summary: 'Reset a failed retry',
          description: 'It starts immediately, with three new attempts.',
          params,
          response: { 200: contract.retry, ...fieldErrors(404, 409), ...errors },
        },
      },
      async ({ params: { id } }) => ({ retry: snakeCased(await reset(context, id)) }),
    );
  });
}

/** @throws HttpError 404 for an unknown retry, 409 unless it has failed */
async function reset({ sql, temporal, logger }: ServiceContext, id: string): Promise<RetryRecord> {
  const retry = found(await resetRetry(sql, idOf(id, 'Retry')), 'Retry');
  if (!('id' in retry)) throw conflict(`Retry is ${retry.status}`);
  await resumeIntake(temporal, retry.submissionId)
    // The retry is reset in any case, and the sweep starts overdue ones.
    .catch((err: unknown) =>
      logger.warn({ err, retryId: id }, 'could not signal the workflow of a reset retry'),
    );
  return retry;
}
