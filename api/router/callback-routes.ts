import { z } from 'zod';
import { type CallbackRecord, listCallbacks, redeliverCallback } from '../../db/router/callbacks.js';
import type { App, ServiceContext } from '../context.js';
import { conflict, fieldErrors, found, idOf, httpError } from '../http-errors.js';
import * as contract from './contract.js';
import { ownSubmission, submissionParams } from './prescription-routes.js';

const common = { tags: ['Callbacks'], security: [{ signature: [] }] };

/** What the client of a submission was told, and telling it again (D27). */
export function callbackRoutes(signed: App, context: ServiceContext): void {
  signed.get(
    '/rx/prescriptions/:id/callbacks',
    {
      config: { access: { action: 'callback.list', record: 'id' } },
      schema: {
        ...common,
        summary: 'The callbacks of a submission, in the order of their delivery',
        params: submissionParams,
        response: {
          200: contract.callbackList,
          ...fieldErrors(401, 403, 404, 429, 500),
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
      config: { access: { action: 'callback.redeliver', record: 'id' } },
      schema: {
        ...common,
        summary: 'Send a callback at once, again if need be',
        description: 'Wakes one that waits and revives one that is dead or delivered, under the same id.',
        params: submissionParams.extend({ callbackId: z.string() }),
        response: {
          202: contract.redelivery,
          ...fieldErrors(400, 401, 403, 404),
          409: httpError.describe('The receiver has answered 410: it wants none any more'),
          ...fieldErrors(413, 415, 429, 500),
        },
      },
    },
    async ({ apiKey, params: { id, callbackId } }, reply) => {
      const submission = await ownSubmission(context, apiKey.id, id);
      const which = { submissionId: submission.id, callbackId: idOf(callbackId, 'Callback') };
      const before = found(await redeliverCallback(context.sql, which), 'Callback');
      if (before === 'stopped') throw conflict('The receiver has stopped the callbacks of this submission');
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
