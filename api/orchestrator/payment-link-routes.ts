import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { findDunning, type Dunning, takeTry } from '../../db/orchestrator/dunning.js';
import {
  type ChargeableCard,
  hasCouponEnded,
  isHandedIn,
  type PayAnswer,
  remedyOf,
  remedyOfSaved,
} from '../../domain/orchestrator/dunning.js';
import { createCardClient } from '../../integrations/stripe/cards.js';
import { readPaymentLink } from '../../platform/crypto/payment-link.js';
import { payNow } from '../../starts/dunning.js';
import type { App, ServiceContext } from '../context.js';
import { conflict, issueErrors, HttpError } from '../http-errors.js';
import * as contract from './payment-contract.js';

const common = { tags: ['Payment links'], security: [{ signature: [] }] };
const errors = issueErrors(400, 401, 403, 413, 415, 429, 500, 503);
/** Shorter than the intake gateway waits. After it the status is `pending`. */
const answerWithinMs = 30_000;

/**
 * Serves the intake gateway for patients who opened a payment link (D107). The token in the body is the only
 * authorization. No answer reveals the medication.
 */
export function paymentLinkRoutes(signed: App, context: ServiceContext): void {
  const { sql, temporal } = context;
  const settings = context.config.service('orchestrator');
  const cards = createCardClient({
    apiBase: settings.STRIPE_API_BASE,
    secretKey: settings.STRIPE_SECRET_KEY,
  });

  /** @throws HttpError 400 with the texts of D107 */
  async function dunningOf(
    { accessed, apiKey }: FastifyRequest,
    { token, caller }: z.infer<typeof contract.linkRequest>,
  ): Promise<Dunning> {
    // Another client's word is no evidence.
    if (apiKey.isOwn && caller) accessed.origin = caller;
    const link = await readPaymentLink(settings.PAYMENT_LINK_SECRET, token);
    if (link === 'expired') throw expired();
    const dunning = link === 'invalid' ? undefined : await findDunning(sql, link.reference);
    if (!dunning) throw new HttpError(400, 'Invalid payment link', { code: 'payment_link_invalid' });
    const isEnding = dunning.state === 'open' && dunning.departure !== null;
    if (dunning.state === 'unpaid' || isEnding) throw expired();
    accessed.records = [dunning.taskId];
    return dunning;
  }

  signed.post(
    '/orchestrator/payment-links/read',
    {
      config: {
        errorCodes: ['payment_link_expired', 'payment_link_invalid'],
        access: { action: 'payment.read' },
      },
      schema: {
        ...common,
        summary: 'Read the amount due for a payment link',
        body: contract.linkRequest,
        response: { 200: contract.linkAnswer, ...errors },
      },
    },
    async (request) => {
      const dunning = await dunningOf(request, request.body);
      if (dunning.state !== 'open') return { owed: null };
      const { amountCents, currency, status } = dunning;
      const couponEnded = hasCouponEnded(dunning);
      const remedy = cardToAuthenticate(dunning) ? 'authentication' : remedyOfSaved(dunning);
      const needs = couponEnded || remedy === 'time' ? ('nothing' as const) : remedy;
      return { owed: { amountCents, currency, couponEnded, needs, status } };
    },
  );

  signed.post(
    '/orchestrator/payment-links/session',
    {
      config: {
        errorCodes: ['payment_link_expired', 'payment_link_invalid'],
        access: { action: 'payment.pay' },
      },
      schema: {
        ...common,
        summary: 'Open a session in which the patient saves or authenticates a card',
        description:
          'If the bank requires authentication, the session is for the declined card; otherwise for a new card. Charges nothing.',
        body: contract.linkRequest,
        response: { 200: contract.sessionAnswer, ...errors, ...issueErrors(409) },
      },
    },
    async (request) => {
      const dunning = await dunningOf(request, request.body);
      if (dunning.state !== 'open') throw nothingOwed();
      const known = cardToAuthenticate(dunning);
      if (known) return cards.openSetup(known.customerId, known.paymentMethodId);
      return cards.openSetup(dunning.savedCustomerId ?? dunning.customerId ?? undefined);
    },
  );

  signed.post(
    '/orchestrator/payment-links/pay',
    {
      config: {
        errorCodes: ['payment_link_expired', 'payment_link_invalid'],
        access: { action: 'payment.pay' },
      },
      schema: {
        ...common,
        summary: 'Pay the amount due for a payment link, once',
        description:
          'Charges the given card, which becomes the saved one once it has paid. Without a card it charges the saved one, unless the bank declined it permanently. `paid` is false and `status` is `pending` if the outcome is not known in time. A link takes 5 tries an hour and 15 in all. Then the answer is 429 `Too many attempts`, with `Retry-After` for the hour, and a work item opens.',
        body: contract.payRequest,
        response: { 200: contract.payAnswer, ...errors, ...issueErrors(409) },
      },
    },
    async (request): Promise<PayAnswer> => {
      const { paymentMethodId, setupIntentId } = request.body;
      const card = { paymentMethodId, setupIntentId };
      const dunning = await dunningOf(request, request.body);
      if (dunning.state !== 'open') throw nothingOwed();
      const { status } = dunning;
      const isVain = !isHandedIn(card) && remedyOfSaved(dunning) === 'card' && !hasCouponEnded(dunning);
      if (status !== 'failed' || isVain) return { paid: false, status };
      const refused = await takeTry(sql, dunning);
      if (refused) throw tooManyAttempts(refused.retryAfterSeconds);
      const outcome = await payNow(temporal, dunning, card, answerWithinMs);
      return outcome.state === 'completed' ? outcome.result : { paid: false, status: 'pending' };
    },
  );
}

const expired = () => new HttpError(400, 'Payment link expired', { code: 'payment_link_expired' });
const nothingOwed = () => conflict('Nothing is owed');

const tooManyAttempts = (retryAfterSeconds: number | null) =>
  new HttpError(429, 'Too many attempts', {
    headers: retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) },
  });

/** The card that its bank must authenticate: the one handed in last, or the saved one. */
function cardToAuthenticate(dunning: Dunning): ChargeableCard | undefined {
  const { reason, handedInAt, savedReason } = dunning;
  const isLast = handedInAt !== null && remedyOf(reason) === 'authentication';
  if (!isLast && remedyOf(savedReason) !== 'authentication') return undefined;
  const [customerId, paymentMethodId] = isLast
    ? [dunning.customerId, dunning.paymentMethodId]
    : [dunning.savedCustomerId, dunning.savedPaymentMethodId];
  return customerId === null || paymentMethodId === null ? undefined : { customerId, paymentMethodId };
}
