import type { FastifyRequest } from 'fastify';
import { findOrder } from '../../db/orchestrator/orders.js';
import { sign, signatureMatches } from '../../platform/crypto/signature.js';
import { followShipment } from '../../starts/orchestrator.js';
import type { App, ServiceContext } from '../context.js';
import { HttpError, notFound } from '../http-error.js';
import { countRefusals } from '../plugins/rate-limit.js';
import { checkTimestamp } from '../plugins/signed.js';
import { acceptBytes, readJsonBody } from '../plugins/strict-json.js';
import { signedErrors } from '../refusals.js';
import * as contract from './contract.js';

/**
 * Where the router reports on our orders (D39): signed with the secret we share with it, no key named. What is to be
 * done is a run's business; this only hands the update over.
 */
export async function callbackRoutes(app: App, context: ServiceContext): Promise<void> {
  const { ORCHESTRATOR_API_SECRET: secret } = context.config.service('orchestrator');
  await app.register(async (instance) => {
    const scope = instance as App;
    const countRefusal = countRefusals(scope, context.config);
    acceptBytes(scope);
    scope.addHook('preValidation', async (request, reply) => {
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      try {
        verify(request, raw);
      } catch (refusal) {
        await countRefusal(request, reply);
        throw refusal;
      }
      request.body = readJsonBody(request, raw);
    });

    scope.post(
      '/api/pharmacy-router/callback',
      {
        schema: {
          tags: ['Shipment'],
          summary: 'Take the router’s word on an order',
          body: contract.routerCallback,
          response: { 200: contract.received, ...signedErrors(400, 401, 404, 413, 415, 429, 500) },
        },
      },
      async ({ body }) => {
        const order = await findOrder(context.sql, body.sourceOrderId);
        // An order whose run has not recorded its submission yet may ship already.
        if (!order || (order.submissionId ?? body.submissionId) !== body.submissionId)
          throw notFound('Unknown submission');
        await followUp(context, body, order.taskId);
        return { ok: true as const };
      },
    );
  });

  /** @throws HttpError 401 */
  function verify({ headers }: FastifyRequest, raw: Buffer): void {
    const { 'x-timestamp': timestamp, 'x-signature': signature } = headers;
    if (typeof timestamp !== 'string' || typeof signature !== 'string')
      throw new HttpError(401, { error: 'Missing authentication headers' });
    checkTimestamp(timestamp);
    if (!signatureMatches(sign(secret, timestamp, raw.length > 0 ? raw : '{}'), signature))
      throw new HttpError(401, { error: 'Invalid signature' });
  }
}

/** Hands an update that changes a shipment to the run that follows it; the others change nothing here. */
async function followUp(
  { temporal }: ServiceContext,
  callback: contract.RouterCallback,
  taskId: string,
): Promise<void> {
  const { submissionId, sourceOrderId, pharmacy, pharmacyOrderId, status, trackingNumber, carrier } =
    callback;
  if (status !== 'shipped' && status !== 'delivered' && status !== 'cancelled') return;
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
