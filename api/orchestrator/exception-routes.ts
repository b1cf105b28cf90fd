import type { App, ServiceContext } from '../context.js';
import { issueErrors } from '../refusals.js';
import { cancel } from './cancel.js';
import * as contract from './contract.js';

const common = { tags: ['Exceptions'], security: [{ signature: [] }] };

/** When it does not go to plan: taking an approval back (D104). */
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
}
