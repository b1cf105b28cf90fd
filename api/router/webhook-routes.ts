import type { FastifyReply, FastifyRequest } from 'fastify';
import { applyPharmacyUpdate, type PharmacyUpdate } from '../../db/router/pharmacy-updates.js';
import { fromPharmacyB } from '../../domain/router/order-updates.js';
import { signatureMatches } from '../../platform/crypto/signature.js';
import type { App, ServiceContext } from '../context.js';
import { HttpError, notFound } from '../http-error.js';
import { countRefusals } from '../plugins/rate-limit.js';
import { acceptBytes, readJsonBody } from '../plugins/strict-json.js';
import * as contract from './contract.js';

const tags = ['Pharmacy webhooks'];
const security = [{ webhookSecret: [] }];
const { invalid, refusal, internal } = contract;
const response = {
  200: contract.received,
  400: invalid,
  401: refusal,
  404: refusal,
  413: refusal,
  415: refusal,
  429: refusal,
  500: internal,
};

/** The pharmacies report on their orders (page 1, Router endpoints; D25); the secret is judged before a body is read. */
export async function webhookRoutes(app: App, context: ServiceContext): Promise<void> {
  const { PHARMACY_A_WEBHOOK_SECRET, PHARMACY_B_WEBHOOK_SECRET } = context.config.service('router');
  await app.register(async (instance) => {
    const scope = instance as App;
    const countRefusal = countRefusals(scope, context.config);
    acceptBytes(scope);

    const authenticated = (secret: string) => async (request: FastifyRequest, reply: FastifyReply) => {
      const { 'x-webhook-secret': given } = request.headers;
      if (typeof given !== 'string' || !signatureMatches(secret, given)) {
        await countRefusal(request, reply);
        throw new HttpError(401, { error: 'Invalid webhook secret' });
      }
      request.rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      request.body = readJsonBody(request, request.rawBody);
    };

    // pharmacy_c's orders are placed with pharmacy_a (D20).
    scope.post(
      '/rx/webhooks/pharmacy_a',
      {
        preValidation: authenticated(PHARMACY_A_WEBHOOK_SECRET),
        schema: {
          tags,
          security,
          summary: "pharmacy_a's word on an order",
          body: contract.pharmacyAWebhook,
          response,
        },
      },
      ({ body: { caseId, trackingNumber, rxStatus }, rawBody }) =>
        apply({
          webhook: 'pharmacy_a',
          pharmacies: ['pharmacy_a', 'pharmacy_c'],
          pharmacyOrderIds: [caseId],
          status: rxStatus ?? null,
          trackingNumber: mentioned(trackingNumber),
          carrier: null,
          body: rawBody.toString(),
        }),
    );

    scope.post(
      '/rx/webhooks/pharmacy_b',
      {
        preValidation: authenticated(PHARMACY_B_WEBHOOK_SECRET),
        schema: {
          tags,
          security,
          summary: "pharmacy_b's word on an order",
          body: contract.pharmacyBWebhook,
          response,
        },
      },
      ({ body: { tracking_id, trackingnumber, rxstatus, shippingcarrier }, rawBody }) =>
        apply({
          webhook: 'pharmacy_b',
          pharmacies: ['pharmacy_b'],
          pharmacyOrderIds: [tracking_id],
          status: rxstatus === undefined ? null : fromPharmacyB(rxstatus),
          trackingNumber: mentioned(trackingnumber),
          carrier: mentioned(shippingcarrier),
          body: rawBody.toString(),
        }),
    );
  });

  async function apply(update: PharmacyUpdate): Promise<{ ok: true }> {
    if (!(await applyPharmacyUpdate(context.sql, update))) throw notFound('Unknown order');
    return { ok: true };
  }
}

/** An empty text tells nothing. */
const mentioned = (text: string | undefined): string | null =>
  text === undefined || text === '' ? null : text;
