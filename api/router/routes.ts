import { z } from 'zod';
import { readSubmission, type SubmissionRecord } from '../../db/router/submissions.js';
import type { ServiceRoutes } from '../context.js';
import { forbidden, notFound } from '../http-error.js';
import { registerSigned } from '../plugins/signed.js';
import {
  conflict,
  invalid,
  prescriptionSubmission,
  refusal,
  submissionFailed,
  submissionRecord,
  submitted,
} from './contract.js';
import { submit } from './submit.js';

/** A signature image travels in the body (D6). */
const bodyLimitBytes = 5 * 1024 * 1024;

/** The pharmacy router (page 1). */
export const routerRoutes: ServiceRoutes = async (app, context) => {
  const encryptionKeys = context.config.service('router').SECRET_ENCRYPTION_KEYS;
  await registerSigned(app, context, { scope: 'router', encryptionKeys, bodyLimitBytes }, (signed) => {
    signed.post(
      '/rx/prescriptions/submit',
      {
        schema: {
          tags: ['Prescriptions'],
          summary: 'Submit a prescription to a pharmacy',
          description:
            'Answers once the pharmacy has. Safe to repeat: the same body under the same `source` and `sourceOrderId` gives the first answer again, with `Idempotent-Replayed: true`; after a failure it is tried again.',
          security: [{ signature: [] }],
          body: prescriptionSubmission,
          response: {
            201: submitted,
            400: invalid,
            401: refusal,
            403: refusal,
            409: conflict.describe('The order reference stands for another payload'),
            413: refusal,
            415: refusal,
            422: refusal.describe('No pharmacy serves the state'),
            429: refusal,
            502: submissionFailed,
            503: conflict.describe('Still under way; the same request finds the answer later'),
          },
        },
      },
      async ({ apiKey, body, rawBody }, reply) => {
        const { answer, headers } = await submit(context, apiKey.id, body, rawBody);
        return reply.code(201).headers(headers).send(answer);
      },
    );

    signed.get(
      '/rx/prescriptions/:id',
      {
        schema: {
          tags: ['Prescriptions'],
          summary: 'Read a submission',
          description: 'Only for the client that made it.',
          security: [{ signature: [] }],
          params: z.object({ id: z.string() }),
          response: { 200: submissionRecord, 401: refusal, 403: refusal, 404: refusal, 429: refusal },
        },
      },
      async ({ apiKey, params: { id } }) => {
        // A malformed id is answered as an unknown one (D28).
        const record = z.guid().safeParse(id).success
          ? await readSubmission(context.sql, { id, apiKeyId: apiKey.id })
          : undefined;
        if (record === undefined) throw notFound('Submission not found');
        if (record === 'foreign') throw forbidden();
        return presented(record);
      },
    );
  });
};

const presented = (record: SubmissionRecord): z.infer<typeof submissionRecord> => ({
  ...record,
  requestPayload: JSON.parse(record.requestPayload) as unknown,
  responsePayload: record.responsePayload === null ? null : jsonOrText(record.responsePayload),
  submittedAt: record.submittedAt.toISOString(),
  createdAt: record.createdAt.toISOString(),
  updatedAt: record.updatedAt.toISOString(),
});

/** A pharmacy's answer is mostly JSON; what is not is shown as the text it was. */
function jsonOrText(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
