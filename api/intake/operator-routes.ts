import { z } from 'zod';
import { highestKnownVersion } from '../../db/admin-sessions.js';
import { listRetries, type RetryRecord, resetRetry } from '../../db/intake/retry-queue.js';
import { readSubmission, type SubmissionRecord } from '../../db/intake/submissions.js';
import { resumeIntake } from '../../starts/intake.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { registerAdmin } from '../plugins/admin.js';
import { conflict, fieldErrors, found, idOf } from '../http-errors.js';
import * as contract from './contract.js';

const common = { tags: ['Operators'], security: [{ adminToken: [] }] };
const config = { policy: { allows: 'superadmin' as const } };
const params = z.object({ id: z.string() });
const refusals = fieldErrors(401, 403, 429);

/** What operators look at and set right (D63); superadmins only. */
export async function operatorRoutes(app: App, context: ServiceContext): Promise<void> {
  const { sql } = context;
  await registerAdmin(app, context, { knownVersion: highestKnownVersion(sql, 'intake') }, (admin) => {
    admin.get(
      '/admin/intake-submissions/:id',
      {
        config: { ...config, access: { action: 'intake.read', record: 'id' } },
        schema: {
          ...common,
          summary: 'One submission',
          params,
          response: { 200: contract.submission, ...fieldErrors(404), ...refusals },
        },
      },
      async ({ params: { id } }) => {
        const record = found(await readSubmission(sql, idOf(id, 'Submission')), 'Submission');
        return { submission: presentedSubmission(record) };
      },
    );

    admin.get(
      '/admin/intake-retries',
      {
        config: { ...config, access: { action: 'retry.list' } },
        schema: {
          ...common,
          summary: 'EMR patients that are still to be made, or were, newest first',
          querystring: contract.retryQuery,
          response: { 200: contract.retries, ...fieldErrors(400), ...refusals },
        },
      },
      async ({ query: { status, limit, cursor } }) => {
        const after = decodeCursor(cursor, z.uuid());
        const { page, nextCursor } = await pageOf(
          limit,
          (limit) => listRetries(sql, { status, after, limit }),
          ({ id }) => id,
        );
        return { retries: page.map(presentedRetry), nextCursor };
      },
    );

    admin.post(
      '/admin/intake-retries/:id/reset',
      {
        config: { ...config, access: { action: 'intake.retry', record: 'id' } },
        schema: {
          ...common,
          summary: 'Start again with a retry that has failed',
          description: 'At once, with all three attempts before it.',
          params,
          response: { 200: contract.retry, ...fieldErrors(404, 409), ...refusals },
        },
      },
      async ({ params: { id } }) => ({ retry: presentedRetry(await reset(context, id)) }),
    );
  });
}

/** @throws Refused 404 for an unknown one, 409 unless it has failed */
async function reset({ sql, temporal, logger }: ServiceContext, id: string): Promise<RetryRecord> {
  const retry = found(await resetRetry(sql, idOf(id, 'Retry')), 'Retry');
  if (!('id' in retry)) throw conflict(`Retry is ${retry.status}`);
  await resumeIntake(temporal, retry.submissionId)
    // It is reset all the same: the sweep starts what is overdue.
    .catch((err: unknown) => logger.warn({ err, retryId: id }, 'the run of a reset retry was not nudged'));
  return retry;
}

const presentedSubmission = (record: SubmissionRecord) => ({
  id: record.id,
  first_name: record.firstName,
  last_name: record.lastName,
  email: record.email,
  phone: record.phone,
  state: record.state,
  intake_type: record.intakeType,
  emr_patient_id: record.emrPatientId,
  status: record.status,
  data: record.data,
  created_at: record.createdAt.toISOString(),
});

const presentedRetry = (record: RetryRecord) => ({
  id: record.id,
  submission_id: record.submissionId,
  action: record.action,
  attempts: record.attempts,
  last_error: record.lastError,
  status: record.status,
  created_at: record.createdAt.toISOString(),
  next_retry_at: record.nextRetryAt?.toISOString() ?? null,
});
