import { z } from 'zod';
import {
  listSubmissions,
  readSubmission,
  type SubmissionEntry,
  type SubmissionRecord,
} from '../../db/router/submission-records.js';
import { findCancellation } from '../../db/router/cancellations.js';
import { listAmendments } from '../../db/router/hold-answers.js';
import { listHolds } from '../../db/router/holds.js';
import { futureBirthDateText, isBirthDate } from '../../domain/orderable-patient.js';
import { presentedHold } from '../../domain/router/holds.js';
import { createPharmacies } from '../../integrations/pharmacies/registry.js';
import { businessDay } from '../../platform/business-day.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { fieldErrors, forbidden, found, idOf, httpError, InvalidField, unfinished } from '../http-errors.js';
import * as contract from './contract.js';
import { presentedCancellation } from './cancel.js';
import { submit } from './submit.js';

/** With a signed prescription image in it (D6). */
const submitBodyLimitBytes = 5 * 1024 * 1024;

const common = { tags: ['Prescriptions'], security: [{ signature: [] }] };
export const submissionParams = z.object({ id: z.string() });

/** Submitting prescriptions and reading what has become of them (page 1, Router endpoints; D27, D28). */
export function prescriptionRoutes(signed: App, context: ServiceContext): void {
  const router = { ...context, pharmacies: createPharmacies(context.config.service('router')) };
  signed.post(
    '/rx/prescriptions/submit',
    {
      config: { access: { action: 'prescription.submit' } },
      bodyLimit: submitBodyLimitBytes,
      schema: {
        ...common,
        summary: 'Submit a prescription to a pharmacy',
        description:
          'Answers once the pharmacy has. Safe to repeat: the same body under the same `source` and `sourceOrderId` gives the first answer again, with `Idempotent-Replayed: true`; after a failure it is tried again.',
        body: contract.prescriptionSubmission,
        response: {
          201: contract.submitted,
          ...fieldErrors(400, 401, 403),
          409: contract.ofSubmission.describe('The order reference stands for another payload'),
          ...fieldErrors(413, 415),
          422: httpError.describe('No pharmacy serves the state'),
          ...fieldErrors(429, 500),
          502: contract.submissionFailed,
          503: unfinished.describe('Not known yet; the same request finds the answer later'),
        },
      },
    },
    async (request, reply) => {
      if (!isBirthDate(request.body.patient.dob, businessDay(context.config.BUSINESS_TIMEZONE)))
        throw new InvalidField('patient.dob', futureBirthDateText);
      const { answer, headers } = await submit(router, request, request.body);
      return reply.code(201).headers(headers).send(answer);
    },
  );

  signed.get(
    '/rx/prescriptions',
    {
      config: { access: { action: 'prescription.list' } },
      schema: {
        ...common,
        summary: "List the client's own submissions, newest first",
        description: 'Without the payloads, which a single submission has.',
        querystring: contract.submissionQuery,
        response: {
          200: contract.submissionList,
          ...fieldErrors(400, 401, 403, 429, 500),
        },
      },
    },
    async ({ apiKey, query: { status, pharmacy, sourceOrderId, limit, cursor } }) => {
      const after = decodeCursor(cursor, z.uuid());
      const filter = { apiKeyId: apiKey.id, status, pharmacy, sourceOrderId, after };
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listSubmissions(context.sql, { ...filter, limit }),
        ({ id }) => id,
      );
      return { prescriptions: page.map(presentedEntry), nextCursor };
    },
  );

  signed.get(
    '/rx/prescriptions/:id',
    {
      config: { access: { action: 'prescription.read', record: 'id' } },
      schema: {
        ...common,
        summary: 'Read a submission',
        description: 'Only for the client that made it.',
        params: submissionParams,
        response: {
          200: contract.submissionRecord,
          ...fieldErrors(401, 403, 404, 429, 500),
        },
      },
    },
    async ({ apiKey, params: { id } }) => {
      const record = await ownSubmission(context, apiKey.id, id);
      return presented(record, await readExceptions(context, record.id));
    },
  );
}

/** @throws Refused 404 for an unknown id, a malformed one too (D28); 403 for another client's */
export async function ownSubmission(
  { sql }: Pick<ServiceContext, 'sql'>,
  apiKeyId: string,
  id: string,
): Promise<SubmissionRecord> {
  const record = found(await readSubmission(sql, { id: idOf(id, 'Submission'), apiKeyId }), 'Submission');
  if (record === 'foreign') throw forbidden();
  return record;
}

/** What did not go to plan with an order, all as of one moment. */
const readExceptions = ({ sql }: Pick<ServiceContext, 'sql'>, id: string) =>
  sql.begin('isolation level repeatable read read only', async (sql) => ({
    holds: await listHolds(sql, id),
    amendments: await listAmendments(sql, id),
    cancellation: await findCancellation(sql, id),
  }));

const presentedEntry = <T extends SubmissionEntry>(entry: T) => ({
  ...entry,
  submittedAt: entry.submittedAt.toISOString(),
  createdAt: entry.createdAt.toISOString(),
  updatedAt: entry.updatedAt.toISOString(),
});

const presented = (
  record: SubmissionRecord,
  { holds, amendments, cancellation }: Awaited<ReturnType<typeof readExceptions>>,
): z.infer<typeof contract.submissionRecord> => ({
  ...presentedEntry(record),
  holds: holds.map(presentedHold),
  amendments: amendments.map(({ holdId, changes, at }) => ({
    holdId,
    changes: { ...changes },
    at: at.toISOString(),
  })),
  cancellation: cancellation && presentedCancellation(cancellation),
  requestPayload: JSON.parse(record.requestPayload) as unknown,
  responsePayload: record.responsePayload === null ? null : jsonOrText(record.responsePayload),
});

/** A pharmacy's answer is mostly JSON; what is not is shown as the text it was. */
function jsonOrText(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
