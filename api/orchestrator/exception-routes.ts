import type { App, ServiceContext } from '../context.js';
import { issueErrors, httpError } from '../http-errors.js';
import { cancel } from './cancel.js';
import * as contract from './contract.js';
import { reroute } from './reroute.js';

const common = { tags: ['Exceptions'], security: [{ signature: [] }] };

/** When it does not go to plan: taking an approval back, and moving its order to another pharmacy (D104, D105). */
export function exceptionRoutes(signed: App, context: ServiceContext): void {
  signed.post(
    '/orchestrator/cancel',
    {
      config: { access: { action: 'prescription.cancel' } },
      schema: {
        ...common,
        summary: 'Take an approval back',
        description:
          'A run that has not ordered yet is ended; else the pharmacy is asked for the order. If it gives it back, the charge is refunded in full, the refills end, and the patient is told; if it does not, nothing is undone. Answers 202 while the pharmacy has not answered; the same request joins, and finds the answer. After a denial it asks again.',
        body: contract.cancelRequest,
        response: {
          200: contract.cancelled,
          202: contract.cancelled,
          ...issueErrors(400, 401, 403, 404, 409, 413, 415, 429, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { taskId } = request.body;
      request.accessed.records = [taskId];
      const { cancellation, replayed } = await cancel(context, request.body, request.apiKey.id);
      if (replayed) void reply.header('idempotent-replayed', 'true');
      const status = cancellation.state === 'pending' ? 202 : 200;
      return reply.code(status).send({ success: true, taskId, cancellation });
    },
  );

  signed.post(
    '/orchestrator/reroute',
    {
      config: { access: { action: 'prescription.reroute' } },
      schema: {
        ...common,
        summary: 'Move the order of a task to another pharmacy',
        description:
          'The first pharmacy gives the order back before it is made at the other. Answers 202 while the first has not answered, or nobody knows whether the other has taken it. The same request joins.',
        body: contract.rerouteRequest,
        response: {
          200: contract.rerouted,
          202: contract.cancelled,
          ...issueErrors(400, 401, 403, 404),
          409: contract.notReroutable,
          ...issueErrors(413, 415),
          422: httpError.describe('The pharmacy has the order already, or cannot fill it'),
          ...issueErrors(429, 500),
          502: httpError.describe('The new pharmacy does not take it: there is no order now'),
          ...issueErrors(503),
        },
      },
    },
    async (request, reply) => {
      const { taskId } = request.body;
      request.accessed.records = [taskId];
      const rerouted = await reroute(context, request.body, request.apiKey.id);
      if ('cancellation' in rerouted)
        return reply.code(202).send({ success: true, taskId, cancellation: rerouted.cancellation });
      const { submissionId, pharmacy, reference, replayed } = rerouted;
      if (replayed) void reply.header('idempotent-replayed', 'true');
      return reply.send({ success: true, taskId, submissionId, pharmacy, reference });
    },
  );
}
