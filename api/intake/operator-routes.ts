import { z } from 'zod';
import { highestKnownVersion } from '../../db/admin-sessions.js';
import { listRetries, type RetryRecord, resetRetry } from '../../db/intake/retry-queue.js';
import { readSubmission, type SubmissionRecord } from '../../db/intake/submissions.js';
import { resumeIntake } from '../../starts/intake.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { HttpError, notFound } from '../http-error.js';
import { registerAdmin } from '../plugins/admin.js';
import { invalid, refusal } from './answers.js';
import * as contract from './submit-contract.js';

const tags = ['Operators'];
const security = [{ adminToken: [] }];
const config = { policy: { allows: 'superadmin' as const } };
const params = z.object({ id: z.string() });
const refusals = { 401: refusal, 403: refusal, 429: refusal };

/** What operators look at and set right (D63); superadmins only. */
export async function operatorRoutes(app: App, context: ServiceContext): Promise<void> {
  const { sql } = context;
  const knownVersion = (adminId: string) => highestKnownVersion(sql, 'intake', adminId);
  await registerAdmin(app, context, { knownVersion }, (admin) => {
    admin.get(
      '/admin/intake-submissions/:id',
      {
        config,
        schema: {
          tags,
          security,
          summary: 'One submission',
          params,
          response: { 200: contract.submission, 404: refusal, ...refusals },
        },
      },
      async ({ params: { id } }) => {
        const record = isUuid(id) ? await readSubmission(sql, id) : undefined;
        if (!record) throw notFound('Submission not found');
        return { submission: presentedSubmission(record) };
      },
    );

    admin.get(
      '/admin/intake-retries',
      {
        config,
        schema: {
          tags,
          security,
          summary: 'EMR patients that are still to be made, or were, newest first',
          querystring: contract.retryQuery,
          response: { 200: contract.retries, 400: invalid, ...refusals },
        },
      },
      async ({ query: { status, limit, cursor } }) => {
        const after = decodeCursor(cursor, z.uuid());
        const rows = await listRetries(sql, { status, after, limit: limit + 1 });
        const { page, nextCursor } = pageOf(rows, limit, ({ id }) => id);
        return { retries: page.map(presentedRetry), nextCursor };
      },
    );

    admin.post(
      '/admin/intake-retries/:id/reset',
      {
        config,
        schema: {
          tags,
          security,
          summary: 'Start again with a retry that has failed',
          description: 'At once, with all three attempts before it.',
          params,
          response: { 200: contract.retry, 404: refusal, 409: refusal, ...refusals },
        },
      },
      async ({ params: { id } }) => ({ retry: presentedRetry(await reset(context, id)) }),
    );
  });
}

/** @throws HttpError 404 for an unknown one, 409 unless it has failed */
async function reset({ sql, temporal, logger }: ServiceContext, id: string): Promise<RetryRecord> {
  const retry = isUuid(id) ? await resetRetry(sql, id) : undefined;
  if (!retry) throw notFound('Retry not found');
  if (!('id' in retry)) throw new HttpError(409, { error: `Retry is ${retry.status}` });
  await resumeIntake(temporal, retry.submissionId)
    // It is reset all the same: the sweep starts what is overdue.
    .catch((err: unknown) => logger.warn({ err, retryId: id }, 'the run of a reset retry was not nudged'));
  return retry;
}

const isUuid = (id: string): boolean => z.guid().safeParse(id).success;

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
