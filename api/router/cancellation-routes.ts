import type { App, ServiceContext } from '../context.js';
import { fieldErrors, httpError } from '../http-errors.js';
import { cancel, presentedCancellation } from './cancel.js';
import * as contract from './contract.js';
import { ownSubmission, submissionParams } from './prescription-routes.js';

/** Taking a prescription back (D101). */
export function cancellationRoutes(signed: App, context: ServiceContext): void {
  signed.post(
    '/rx/prescriptions/:id/cancel',
    {
      config: { access: { action: 'prescription.cancel', record: 'id' } },
      schema: {
        tags: ['Prescriptions'],
        security: [{ signature: [] }],
        summary: 'Ask the pharmacy to cancel the order',
        description:
          'Answers once the pharmacy has. Safe to repeat: what is pending is joined, what is approved stays so, and after a denial the pharmacy is asked again.',
        params: submissionParams,
        body: contract.cancelRequest,
        response: {
          200: contract.cancelled,
          202: contract.cancelled.describe('The pharmacy has not answered yet; it is asked until it has'),
          ...fieldErrors(400, 401, 403, 404),
          409: httpError.describe('The pharmacy has rejected the order'),
          ...fieldErrors(413, 415, 429, 500, 503),
        },
      },
    },
    async ({ apiKey, params: { id }, body }, reply) => {
      const { id: submissionId } = await ownSubmission(context, apiKey.id, id);
      const cancellation = await cancel(context, { submissionId, requestReason: body?.reason ?? null });
      return reply
        .code(cancellation.state === 'pending' ? 202 : 200)
        .send({ submissionId, cancellation: presentedCancellation(cancellation) });
    },
  );
}
