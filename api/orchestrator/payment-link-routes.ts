import type { FastifyRequest } from 'fastify';
import { findDunning, type Dunning } from '../../db/orchestrator/dunning.js';
import { couponEndedReason, type PayAnswer, remedyOf } from '../../domain/orchestrator/dunning.js';
import { createCardClient } from '../../integrations/stripe/cards.js';
import { readPaymentLink } from '../../platform/crypto/payment-link.js';
import { payNow } from '../../starts/dunning.js';
import type { App, ServiceContext } from '../context.js';
import { conflict, issueErrors, HttpError } from '../http-errors.js';
import * as contract from './payment-contract.js';

const common = { tags: ['Payment links'], security: [{ signature: [] }] };
const errors = issueErrors(400, 401, 403, 409, 413, 415, 429, 500, 503);
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
  async function dunningOf({ accessed }: FastifyRequest, token: string): Promise<Dunning> {
    const link = await readPaymentLink(settings.ORCHESTRATOR_API_SECRET, token);
    if (link === 'expired') throw expired();
    const dunning = link === 'invalid' ? undefined : await findDunning(sql, link.reference);
    if (!dunning) throw new HttpError(400, 'Invalid payment link');
    const isEnding = dunning.state === 'open' && dunning.departure !== null;
    if (dunning.state === 'unpaid' || isEnding) throw expired();
    accessed.records = [dunning.taskId];
    return dunning;
  }

  signed.post(
    '/orchestrator/payment-links/read',
    {
      config: { access: { action: 'payment.read' } },
      schema: {
        ...common,
        summary: 'Read the amount due for a payment link',
        body: contract.linkRequest,
        response: { 200: contract.linkAnswer, ...errors },
      },
    },
    async (request) => {
      const dunning = await dunningOf(request, request.body.token);
      if (dunning.state !== 'open') return { owed: null };
      const { amountCents, currency, reason, status } = dunning;
      const couponEnded = reason === couponEndedReason;
      const remedy = couponEnded || hasOtherCard(dunning) ? 'time' : remedyOf(reason);
      const needs = remedy === 'time' ? ('nothing' as const) : remedy;
      return { owed: { amountCents, currency, couponEnded, needs, status } };
    },
  );

  signed.post(
    '/orchestrator/payment-links/session',
    {
      config: { access: { action: 'payment.pay' } },
      schema: {
        ...common,
        summary: 'Open a session in which the patient saves or authenticates a card',
        description:
          'If the bank requires authentication, the session is for the saved card; otherwise for a new card. Charges nothing.',
        body: contract.linkRequest,
        response: { 200: contract.sessionAnswer, ...errors },
      },
    },
    async (request) => {
      const dunning = await dunningOf(request, request.body.token);
      if (dunning.state !== 'open') throw nothingOwed();
      const { customerId, reason, savedPaymentMethodId: saved } = dunning;
      const needsAuthentication = remedyOf(reason) === 'authentication' && !hasOtherCard(dunning);
      return cards.openSetup(customerId ?? undefined, needsAuthentication ? (saved ?? undefined) : undefined);
    },
  );

  signed.post(
    '/orchestrator/payment-links/pay',
    {
      config: { access: { action: 'payment.pay' } },
      schema: {
        ...common,
        summary: 'Pay the amount due for a payment link, once',
        description:
          'Saves the given card first. Without a card it charges the saved one, unless the bank declined it permanently. `paid` is false and `status` is `pending` if the outcome is not known in time.',
        body: contract.payRequest,
        response: { 200: contract.payAnswer, ...errors },
      },
    },
    async (request): Promise<PayAnswer> => {
      const { token, ...card } = request.body;
      const dunning = await dunningOf(request, token);
      if (dunning.state !== 'open') throw nothingOwed();
      const outcome = await payNow(temporal, dunning, card, answerWithinMs);
      return outcome.state === 'completed' ? outcome.result : { paid: false, status: 'pending' };
    },
  );
}

const expired = () => new HttpError(400, 'Payment link expired');
const nothingOwed = () => conflict('Nothing is owed');

/** The saved card is not the declined one. */
const hasOtherCard = ({ savedPaymentMethodId: saved, paymentMethodId: declined }: Dunning): boolean =>
  saved !== null && saved !== declined;
