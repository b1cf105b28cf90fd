import type { FastifyRequest } from 'fastify';
import { applyPharmacyUpdate, type PharmacyUpdate } from '../../db/router/pharmacy-updates.js';
import { reportedHold } from '../../domain/router/holds.js';
import { pharmacyAWords, pharmacyBWords, type PharmacyWords } from '../../domain/router/pharmacy-words.js';
import { fromPharmacyB, isHoldStatus } from '../../domain/router/order-updates.js';
import { signatureMatches } from '../../platform/crypto/signature.js';
import type { App, ServiceContext } from '../context.js';
import { rejectDeclaredLength } from '../plugins/declared-length.js';
import { countUnverified } from '../plugins/rate-limit.js';
import { acceptBytes } from '../plugins/strict-json.js';
import { fieldErrors, notFound, unauthorized } from '../http-errors.js';
import * as contract from './webhook-contract.js';

interface Secrets {
  live: string;
  test: string | undefined;
}

const common = { tags: ['Pharmacy webhooks'], security: [{ webhookSecret: [] }] };
const response = {
  200: contract.received,
  ...fieldErrors(400, 401, 404, 413, 415, 429, 500),
};

/** The pharmacies report on their orders (page 1, Router endpoints; D25); the secret is judged before a body is read. */
export async function webhookRoutes(app: App, context: ServiceContext): Promise<void> {
  const settings = context.config.service('router');
  const secrets: Readonly<Record<string, Secrets>> = {
    '/rx/webhooks/pharmacy_a': {
      live: settings.PHARMACY_A_WEBHOOK_SECRET,
      test: settings.PHARMACY_A_SANDBOX_WEBHOOK_SECRET,
    },
    '/rx/webhooks/pharmacy_b': {
      live: settings.PHARMACY_B_WEBHOOK_SECRET,
      test: settings.PHARMACY_B_SANDBOX_WEBHOOK_SECRET,
    },
  };
  /** Whose secret a request bears: an outsider's has none. */
  const bearing = (request: FastifyRequest): keyof Secrets | undefined => {
    const { live, test } = secrets[request.routeOptions.url ?? ''] ?? {};
    return bears(live, request) ? 'live' : bears(test, request) ? 'test' : undefined;
  };
  /** With one secret for both, a webhook may mean either. */
  const ordersMeant = (request: FastifyRequest): Pick<PharmacyUpdate, 'isTest'> =>
    secrets[request.routeOptions.url ?? '']?.test === undefined
      ? {}
      : { isTest: bearing(request) === 'test' };
  await app.register(async (instance) => {
    const scope = instance as App;
    const countRefusal = countUnverified(scope, context.config);
    rejectDeclaredLength(scope);
    scope.addHook('onRequest', async (request, reply) => {
      if (bearing(request) !== undefined) return;
      await countRefusal(request, reply);
      throw unauthorized('Invalid webhook secret');
    });
    acceptBytes(scope);

    // pharmacy_c's orders are placed with pharmacy_a (D20).
    scope.post(
      '/rx/webhooks/pharmacy_a',
      {
        config: { access: { none: 'no admin and no key: a pharmacy; what it sends is logged as it came' } },
        schema: {
          ...common,
          summary: "pharmacy_a's word on an order",
          body: contract.pharmacyAWebhook,
          response,
        },
      },
      (request) => {
        const { caseId, trackingNumber, rxStatus, hold } = request.body;
        return apply({
          webhook: 'pharmacy_a',
          ...ordersMeant(request),
          pharmacies: ['pharmacy_a', 'pharmacy_c'],
          pharmacyOrderIds: [caseId],
          status: rxStatus === undefined || isHoldStatus(rxStatus) ? null : rxStatus,
          ...holdOf(pharmacyAWords, rxStatus, hold),
          trackingNumber: mentioned(trackingNumber),
          carrier: null,
          body: request.rawBody.toString(),
        });
      },
    );

    scope.post(
      '/rx/webhooks/pharmacy_b',
      {
        config: { access: { none: 'no admin and no key: a pharmacy; what it sends is logged as it came' } },
        schema: {
          ...common,
          summary: "pharmacy_b's word on an order",
          body: contract.pharmacyBWebhook,
          response,
        },
      },
      (request) => {
        const { body, rawBody } = request;
        const { tracking_id, trackingnumber, rxstatus, shippingcarrier } = body;
        const { holdid: id, holdcode: code, holdmessage: message, holduntil: until } = body;
        return apply({
          webhook: 'pharmacy_b',
          ...ordersMeant(request),
          pharmacies: ['pharmacy_b'],
          pharmacyOrderIds: [tracking_id],
          status: rxstatus === undefined || isHoldStatus(rxstatus) ? null : fromPharmacyB(rxstatus),
          ...holdOf(pharmacyBWords, rxstatus, id === undefined ? undefined : { id, code, message, until }),
          trackingNumber: mentioned(trackingnumber),
          carrier: mentioned(shippingcarrier),
          body: rawBody.toString(),
        });
      },
    );
  });

  async function apply(update: PharmacyUpdate): Promise<{ ok: true }> {
    if (!(await applyPharmacyUpdate(context.sql, update))) throw notFound('Unknown order');
    return { ok: true };
  }
}

/** What a webhook says of a hold; the contract has seen to it that all is there. */
function holdOf(
  words: PharmacyWords,
  status: string | undefined,
  said:
    | { id: string; code?: string | undefined; message?: string | undefined; until?: string | undefined }
    | undefined,
): Pick<PharmacyUpdate, 'hold'> {
  if (!said || !isHoldStatus(status)) return {};
  const { code } = said;
  if (status === 'hold-released') return { hold: { released: said.id } };
  return code === undefined ? {} : { hold: { opened: reportedHold(words, { ...said, code }) } };
}

const bears = (secret: string | undefined, { headers }: FastifyRequest): boolean => {
  const { 'x-webhook-secret': given } = headers;
  return secret !== undefined && typeof given === 'string' && signatureMatches(secret, given);
};

/** An empty text tells nothing. */
const mentioned = (text: string | undefined): string | null =>
  text === undefined || text === '' ? null : text;
