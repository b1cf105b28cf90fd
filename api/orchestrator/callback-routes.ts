import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { recordEvent } from '../../db/orchestrator/events.js';
import { findReportedOrder, type ReportedOrder } from '../../db/orchestrator/orders.js';
import { keyOfOrder, sourceOf } from '../../domain/clients.js';
import type { PharmacyUpdate } from '../../domain/orchestrator/shipments.js';
import { followCancelledOrder } from '../../starts/order-changes.js';
import { followShipment } from '../../starts/orchestrator.js';
import type { App, ServiceContext } from '../context.js';
import { callersHaveSecret } from '../plugins/anonymous.js';
import { rejectDeclaredLength } from '../plugins/declared-length.js';
import { countUnverified } from '../plugins/rate-limit.js';
import { isSignedWith, signatureOf, wrongSignature } from '../plugins/signature-headers.js';
import { acceptBytes } from '../plugins/strict-json.js';
import { issueErrors, notFound, unauthorized } from '../http-errors.js';
import { clientQuery } from './whose.js';
import * as contract from './contract.js';

/** Receives callbacks of the router (D39), signed with the shared secret and without a key id. Workflows apply them. */
export async function callbackRoutes(app: App, context: ServiceContext): Promise<void> {
  const { ORCHESTRATOR_API_SECRET: secret } = context.config.service('orchestrator');
  await app.register(async (instance) => {
    const scope = instance as App;
    callersHaveSecret(scope);
    const limitUnverified = countUnverified(scope, context.config);
    const counted = async (request: FastifyRequest, reply: FastifyReply, verify: () => void) => {
      try {
        verify();
      } catch (error) {
        await limitUnverified(request, reply);
        throw error;
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
        config: { access: { none: 'no admin and no key: our own router reports on our own orders' } },
        schema: {
          tags: ['Shipment'],
          summary: 'Receive an order update from the router',
          security: [{ callbackSignature: [] }],
          querystring: z.object({ client: clientQuery.client.describe('The named client of the order') }),
          body: contract.routerCallback,
          response: { 200: contract.received, ...issueErrors(400, 401, 404, 413, 415, 429, 500) },
        },
      },
      async ({ body: callback, query: { client = '' } }) => {
        const body = {
          ...callback,
          sourceOrderId: keyOfOrder({ source: sourceOf(client), sourceOrderId: callback.sourceOrderId }),
        };
        const order = await findReportedOrder(context.sql, body.sourceOrderId);
        // An order can ship before its run records the submission.
        if (!order || (order.submissionId ?? body.submissionId) !== body.submissionId)
          throw notFound('Unknown submission');
        // A hold does not change the shipment, regardless of its status.
        if (body.hold) await recordHold(context, body, body.hold);
        else await forward(context, body, order);
        return { ok: true as const };
      },
    );
  });

  function verify({ headers, rawBody }: FastifyRequest): void {
    if (!isSignedWith(secret, signatureOf(headers), rawBody)) throw unauthorized(wrongSignature);
  }
}

/** Records that a hold began or ended, once each (D129). */
async function recordHold(
  { sql }: ServiceContext,
  { submissionId, sourceOrderId: taskId }: contract.RouterCallback,
  { id: holdId, state, code = null, until = null }: NonNullable<contract.RouterCallback['hold']>,
): Promise<void> {
  if (holdId === undefined) return;
  const about = `${submissionId} ${holdId}`;
  if (state === 'released')
    await recordEvent(sql, {
      type: 'order.released',
      taskId,
      fact: `order.released ${about}`,
      data: { submissionId, holdId },
    });
  else
    await recordEvent(sql, {
      type: 'order.held',
      taskId,
      fact: `order.held ${about}`,
      data: { submissionId, holdId, code, until },
    });
}

/**
 * Forwards shipment updates and cancellations to their workflows (D104). Before an order ships, only an update that names
 * a parcel counts (D155).
 */
async function forward(
  { temporal }: ServiceContext,
  callback: contract.RouterCallback,
  { taskId, heldBy }: ReportedOrder,
): Promise<void> {
  const { submissionId, sourceOrderId, pharmacy, pharmacyOrderId, status, trackingNumber, carrier } =
    callback;
  const state = shipmentStateOf(callback);
  if (!state) return;
  if (status === 'cancelled')
    await followCancelledOrder(temporal, taskId, { heldBy, reference: sourceOrderId, submissionId });
  await followShipment(temporal, taskId, {
    submissionId,
    sourceOrderId,
    pharmacy,
    pharmacyOrderId: pharmacyOrderId ?? '',
    state,
    trackingNumber: trackingNumber ?? null,
    carrier: carrier ?? null,
  });
}

/** @returns undefined for a status that changes no shipment */
function shipmentStateOf({
  status,
  trackingNumber,
}: contract.RouterCallback): PharmacyUpdate['state'] | undefined {
  if (status === 'shipped' || status === 'delivered' || status === 'cancelled') return status;
  return status !== 'failed' && trackingNumber ? 'processing' : undefined;
}
