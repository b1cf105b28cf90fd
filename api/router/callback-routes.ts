import { z } from 'zod';
import { listCallbacks, redeliverCallback } from '../../db/router/callbacks.js';
import type { App, ServiceContext } from '../context.js';
import { conflict, fieldErrors, found, idOf, httpError } from '../http-errors.js';
import * as contract from './contract.js';
import { ownSubmission, submissionParams } from './prescription-routes.js';

const common = { tags: ['Callbacks'], security: [{ signature: [] }] };

/** Callbacks of a submission and their redelivery (D27). */
export function callbackRoutes(signed: App, context: ServiceContext): void {
  signed.get(
    '/rx/prescriptions/:id/callbacks',
    {
      config: { access: { action: 'callback.list', record: 'id' } },
      schema: {
        ...common,
        summary: 'List the callbacks of a submission, in delivery order',
        params: submissionParams,
        response: { 200: contract.callbackList, ...fieldErrors(401, 403, 404, 429, 500) },
      },
    },
    async ({ apiKey, params: { id } }) => {
      const submission = await ownSubmission(context, apiKey.id, id);
      const callbacks = await listCallbacks(context.sql, submission.id);
      return {
        callbacks: callbacks.map(({ payload, ...rest }) => ({
          ...rest,
          payload: JSON.parse(payload) as unknown,
        })),
      };
    },
  );

  signed.post(
    '/rx/prescriptions/:id/callbacks/:callbackId/redeliver',
    {
      config: { access: { action: 'callback.redeliver', record: 'id' } },
      schema: {
        ...common,
        summary: 'Send a callback now',
        description: 'Works for pending, dead and delivered callbacks. The callback keeps its id.',
        params: submissionParams.extend({ callbackId: z.string() }),
        response: {
          202: contract.redelivery,
          ...fieldErrors(400, 401, 403, 404, 413, 415, 429, 500),
          409: httpError.describe('The receiver answered 410 and wants no more callbacks'),
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
