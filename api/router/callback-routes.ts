import { z } from 'zod';
import { type CallbackRecord, listCallbacks, redeliverCallback } from '../../db/router/callbacks.js';
import type { App, ServiceContext } from '../context.js';
import { HttpError, notFound } from '../http-error.js';
import * as contract from './contract.js';
import { ownSubmission, submissionParams } from './prescription-routes.js';

const tags = ['Callbacks'];
const security = [{ signature: [] }];
const { invalid, refusal, internal } = contract;

/** What the client of a submission was told, and telling it again (D27). */
export function callbackRoutes(signed: App, context: ServiceContext): void {
  signed.get(
    '/rx/prescriptions/:id/callbacks',
    {
      schema: {
        tags,
        security,
        summary: 'The callbacks of a submission, in the order of their delivery',
        params: submissionParams,
        response: {
          200: contract.callbackList,
          401: refusal,
          403: refusal,
          404: refusal,
          429: refusal,
          500: internal,
        },
      },
    },
    async ({ apiKey, params: { id } }) => {
      const submission = await ownSubmission(context, apiKey.id, id);
      const callbacks = await listCallbacks(context.sql, submission.id);
      return { callbacks: callbacks.map(presented) };
    },
  );

  signed.post(
    '/rx/prescriptions/:id/callbacks/:callbackId/redeliver',
    {
      schema: {
        tags,
        security,
        summary: 'Send a callback at once, again if need be',
        description: 'Wakes one that waits and revives one that is dead or delivered, under the same id.',
        params: submissionParams.extend({ callbackId: z.string() }),
        response: {
          202: contract.redelivery,
          400: invalid,
          401: refusal,
          403: refusal,
          404: refusal,
          409: refusal.describe('The receiver has answered 410: it wants none any more'),
          413: refusal,
          415: refusal,
          429: refusal,
          500: internal,
        },
      },
    },
    async ({ apiKey, params: { id, callbackId } }, reply) => {
      const submission = await ownSubmission(context, apiKey.id, id);
      const before = z.guid().safeParse(callbackId).success
        ? await redeliverCallback(context.sql, { submissionId: submission.id, callbackId })
        : undefined;
      if (before === undefined) throw notFound('Callback not found');
      if (before === 'stopped')
        throw new HttpError(409, { error: 'The receiver has stopped the callbacks of this submission' });
      return reply.code(202).send({ ok: true });
    },
  );
}

const presented = ({ payload, attempts, nextAttemptAt, ...callback }: CallbackRecord) => ({
  ...callback,
  payload: JSON.parse(payload) as unknown,
  attempts: attempts.map(({ at, status, error, durationMs }) => ({
    at: at.toISOString(),
    status,
    error,
    durationMs,
  })),
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
});
