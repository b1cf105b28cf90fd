import { z } from 'zod';
import {
  listSubmissions,
  readSubmission,
  type SubmissionRecord,
} from '../../db/router/submission-records.js';
import { findArticle } from '../../db/router/articles.js';
import { findCancellation } from '../../db/router/cancellations.js';
import { listAmendments } from '../../db/router/hold-answers.js';
import { listHolds } from '../../db/router/holds.js';
import { futureBirthDateText, isBirthDate } from '../../domain/orderable-patient.js';
import { pharmacies } from '../../domain/pharmacies.js';
import { canFill } from '../../domain/router/articles.js';
import { orderedMedication } from '../../domain/router/submission.js';
import { createPharmacies } from '../../integrations/pharmacies/registry.js';
import { businessDay } from '../../platform/business-day.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { fieldErrors, forbidden, found, idOf, httpError, InvalidField, unfinished } from '../http-errors.js';
import { requireTls } from '../receivers.js';
import * as contract from './contract.js';
import { cancel } from './cancel.js';
import { lookForMissing } from './missing.js';
import { outcomeHeader, submit } from './submit.js';

/** Large enough for a signed prescription image (D6). */
const submitBodyLimitBytes = 5 * 1024 * 1024;

const common = { tags: ['Prescriptions'], security: [{ signature: [] }] };
export const submissionParams = z.object({ id: z.string() });

/** Submits, reads and cancels prescriptions (page 1, Router endpoints; D27, D28, D101, D105, D138). */
export function prescriptionRoutes(signed: App, context: ServiceContext): void {
  const router = { ...context, pharmacies: createPharmacies(context.config.service('router')) };
  signed.post(
    '/rx/prescriptions/submit',
    {
      config: {
        errorCodes: { 422: ['no_pharmacy_route'], 502: ['order_rejected', 'order_unknown'] },
        access: { action: 'prescription.submit' },
      },
      bodyLimit: submitBodyLimitBytes,
      schema: {
        ...common,
        summary: 'Submit a prescription to a pharmacy',
        description:
          'Responds once the pharmacy does. Safe to repeat: the same body with the same `source` and `sourceOrderId` returns the recorded answer with `Idempotent-Replayed: true`. After a failure, the same request tries again.',
        body: contract.prescriptionSubmission,
        response: {
          201: contract.submitted,
          ...fieldErrors(400, 401, 403, 413, 415, 429, 500),
          409: contract.submissionError.describe('Another payload already uses the order reference'),
          422: httpError.describe('No pharmacy serves the state'),
          502: contract.submissionFailed,
          503: unfinished.describe('The outcome is not known yet; repeat the same request'),
        },
      },
    },
    async (request, reply) => {
      if (!isBirthDate(request.body.patient.dob, businessDay(context.config.BUSINESS_TIMEZONE)))
        throw new InvalidField('patient.dob', futureBirthDateText);
      if (!request.apiKey.isOwn)
        requireTls('callbackUrl', request.body.callbackUrl, context.config, context.config.service('router'));
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
        description: 'Without payloads; read a single submission to get them.',
        querystring: contract.submissionQuery,
        response: { 200: contract.submissionList, ...fieldErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({ apiKey, query: { limit, cursor, ...wanted } }) => {
      const after = decodeCursor(cursor, z.uuid());
      const filter = { apiKeyId: apiKey.id, ...wanted, after };
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listSubmissions(context.sql, { ...filter, limit }),
        ({ id }) => id,
      );
      return { prescriptions: page, nextCursor };
    },
  );

  signed.get(
    '/rx/prescriptions/:id',
    {
      config: { access: { action: 'prescription.read', record: 'id' } },
      schema: {
        ...common,
        summary: 'Read a submission',
        description: 'Available only to the client that created it.',
        params: submissionParams,
        response: { 200: contract.submissionRecord, ...fieldErrors(401, 403, 404, 429, 500) },
      },
    },
    async ({ apiKey, params: { id } }, reply) => {
      const { outcome, ...record } = await ownSubmission(context, apiKey.id, id);
      if (record.status === 'failed')
        void reply.headers(
          outcomeHeader(outcome === 'unanswered' || outcome === null ? 'unknown' : 'rejected'),
        );
      // One snapshot, so that an amendment never appears without its hold.
      const exceptions = await context.sql.begin(
        'isolation level repeatable read read only',
        async (sql) => ({
          holds: await listHolds(sql, record.id),
          amendments: (await listAmendments(sql, record.id)).map((one) => ({
            ...one,
            changes: { ...one.changes },
          })),
          cancellation: await findCancellation(sql, record.id),
        }),
      );
      return {
        ...record,
        ...exceptions,
        requestPayload: JSON.parse(record.requestPayload) as unknown,
        responsePayload: record.responsePayload === null ? null : jsonOrText(record.responsePayload),
      };
    },
  );

  signed.post(
    '/rx/prescriptions/:id/cancel',
    {
      config: { access: { action: 'prescription.cancel', record: 'id' } },
      schema: {
        ...common,
        summary: 'Ask the pharmacy to cancel the order',
        description:
          'Responds once the pharmacy does. Safe to repeat: a pending request is joined and an approval is final. After a denial, the same request asks the pharmacy again.',
        params: submissionParams,
        body: contract.cancelRequest,
        response: {
          200: contract.cancelled,
          202: contract.cancelled.describe('The pharmacy has not answered yet; Scriptrail keeps asking'),
          ...fieldErrors(400, 401, 403, 404, 413, 415, 429, 500, 503),
          409: httpError.describe('The pharmacy rejected the order'),
        },
      },
    },
    async ({ apiKey, params: { id }, body }, reply) => {
      const { id: submissionId } = await ownSubmission(context, apiKey.id, id);
      const cancellation = await cancel(context, { submissionId, requestReason: body?.reason ?? null });
      return reply.code(cancellation.state === 'pending' ? 202 : 200).send({ submissionId, cancellation });
    },
  );

  signed.post(
    '/rx/prescriptions/:id/missing',
    {
      config: { access: { action: 'prescription.look', record: 'id' } },
      schema: {
        ...common,
        summary: 'Look for an order that the pharmacy says it does not have',
        description:
          'Asks the pharmacy for the order by our reference. If the pharmacy has it, nothing changes. Otherwise the submission becomes `failed`, and an update callback reports it.',
        params: submissionParams,
        response: {
          200: contract.looked,
          202: contract.looked.describe('The pharmacy has not answered yet; Scriptrail keeps asking'),
          ...fieldErrors(400, 401, 403, 404, 413, 415, 429, 500, 503),
          409: httpError.describe('The order is not `submitted` or `processing` at the pharmacy'),
        },
      },
    },
    async ({ apiKey, params: { id } }, reply) => {
      const { id: submissionId } = await ownSubmission(context, apiKey.id, id);
      const found = await lookForMissing(context, submissionId);
      return reply.code(found === null ? 202 : 200).send({ submissionId, found });
    },
  );

  signed.get(
    '/rx/prescriptions/:id/pharmacies/:pharmacy',
    {
      config: { access: { action: 'prescription.read', record: 'id' } },
      schema: {
        ...common,
        summary: 'Check whether a pharmacy can fill a prescription',
        description: 'Checks the catalog of the pharmacy, not its stock.',
        params: submissionParams.extend({ pharmacy: z.enum(pharmacies) }),
        response: { 200: contract.filling, ...fieldErrors(400, 401, 403, 404, 429, 500) },
      },
    },
    async ({ apiKey, params: { id, pharmacy } }) => {
      const ordered = orderedMedication(await ownSubmission(context, apiKey.id, id));
      return {
        pharmacy,
        fills: canFill(await findArticle(context.sql, router.pharmacies, pharmacy, ordered)),
      };
    },
  );
}

/** @throws HttpError 404 for an unknown or malformed id (D28), 403 for a submission of another client */
export async function ownSubmission(
  { sql }: Pick<ServiceContext, 'sql'>,
  apiKeyId: string,
  id: string,
): Promise<SubmissionRecord> {
  const record = found(await readSubmission(sql, { id: idOf(id, 'Submission'), apiKeyId }), 'Submission');
  if (record === 'foreign') throw forbidden();
  return record;
}

/** Pharmacies can also respond with plain text. */
function jsonOrText(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
