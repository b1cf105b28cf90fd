import type { FastifyReply, FastifyRequest } from 'fastify';
import { findReportedOrder, type ReportedOrder } from '../../db/orchestrator/orders.js';
import { followCancelledOrder } from '../../starts/order-changes.js';
import { followShipment } from '../../starts/orchestrator.js';
import type { App, ServiceContext } from '../context.js';
import { rejectDeclaredLength } from '../plugins/declared-length.js';
import { countUnverified } from '../plugins/rate-limit.js';
import { isSignedWith, signatureOf, wrongSignature } from '../plugins/signed.js';
import { acceptBytes } from '../plugins/strict-json.js';
import { issueErrors, notFound, unauthorized } from '../http-errors.js';
import * as contract from './contract.js';

/**
 * Where the router reports on our orders (D39): signed with the secret we share with it, no key named. What is to be
 * done is a run's business; this only hands the update over.
 */
export async function callbackRoutes(app: App, context: ServiceContext): Promise<void> {
  const { ORCHESTRATOR_API_SECRET: secret } = context.config.service('orchestrator');
  await app.register(async (instance) => {
    const scope = instance as App;
    const countRefusal = countUnverified(scope, context.config);
    const counted = async (request: FastifyRequest, reply: FastifyReply, judge: () => void) => {
      try {
        judge();
      } catch (refusal) {
        await countRefusal(request, reply);
        throw refusal;
      }
    };
    rejectDeclaredLength(scope);
    scope.addHook('onRequest', (request, reply) =>
      counted(request, reply, () => void signatureOf(request.headers)),
    );
    acceptBytes(scope, (request, reply) => counted(request, reply, () => verify(request)));

    scope.post(
      '/api/pharmacy-router/callback',
      {
        config: { access: { none: 'no admin and no key: our own router tells of our own orders' } },
        schema: {
          tags: ['Shipment'],
          summary: 'Take the router’s word on an order',
          security: [{ callbackSignature: [] }],
          body: contract.routerCallback,
          response: { 200: contract.received, ...issueErrors(400, 401, 404, 413, 415, 429, 500) },
        },
      },
      async ({ body }) => {
        const order = await findReportedOrder(context.sql, body.sourceOrderId);
        // An order whose run has not recorded its submission yet may ship already.
        if (!order || (order.submissionId ?? body.submissionId) !== body.submissionId)
          throw notFound('Unknown submission');
        // A hold says nothing of the shipment, whatever the status that it comes with.
        if (!body.hold) await followUp(context, body, order);
        return { ok: true as const };
      },
    );
  });

  /** @throws Refused 401 */
  function verify({ headers, rawBody }: FastifyRequest): void {
    if (!isSignedWith(secret, signatureOf(headers), rawBody)) throw unauthorized(wrongSignature);
  }
}

/**
 * Hands an update that changes a shipment to the run that follows it, and a cancellation to the one that undoes the
 * approval (D104); the others change nothing here.
 */
async function followUp(
  { temporal }: ServiceContext,
  callback: contract.RouterCallback,
  { taskId, heldBy }: ReportedOrder,
): Promise<void> {
  const { submissionId, sourceOrderId, pharmacy, pharmacyOrderId, status, trackingNumber, carrier } =
    callback;
  if (status !== 'shipped' && status !== 'delivered' && status !== 'cancelled') return;
  if (status === 'cancelled')
    await followCancelledOrder(temporal, taskId, { heldBy, reference: sourceOrderId, submissionId });
  await followShipment(temporal, taskId, {
    submissionId,
    sourceOrderId,
    pharmacy,
    pharmacyOrderId: pharmacyOrderId ?? '',
    state: status,
    trackingNumber: trackingNumber ?? null,
    carrier: carrier ?? null,
  });
}
