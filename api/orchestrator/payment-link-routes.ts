import { findDunning, type Dunning } from '../../db/orchestrator/dunning.js';
import { couponEndedReason, type PayAnswer, remedyOf } from '../../domain/orchestrator/dunning.js';
import { createCardClient } from '../../integrations/stripe/cards.js';
import { readPaymentLink } from '../../platform/crypto/payment-link.js';
import { payNow } from '../../starts/dunning.js';
import type { App, ServiceContext } from '../context.js';
import { conflict, issueErrors, HttpError } from '../http-errors.js';
import * as contract from './payment-contract.js';

const common = { tags: ['Payment links'], security: [{ signature: [] }] };
const refusals = issueErrors(400, 401, 403, 409, 413, 415, 429, 500, 503);
/** Shorter than the gateway waits; a verdict that comes later is told by `pending`. */
const answerWithinMs = 30_000;

/**
 * What the intake gateway asks for a patient who opened a payment link (D107): the token in the body says what is owed,
 * and is all that authorises it. Nothing here says what was ordered.
 */
export function paymentLinkRoutes(signed: App, context: ServiceContext): void {
  const { sql, temporal } = context;
  const settings = context.config.service('orchestrator');
  const cards = createCardClient({
    apiBase: settings.STRIPE_API_BASE,
    secretKey: settings.STRIPE_SECRET_KEY,
  });

  /** @throws Refused 400 in the words of D107 */
  async function recoveryOf(token: string): Promise<Dunning> {
    const link = await readPaymentLink(settings.ORCHESTRATOR_API_SECRET, token);
    if (link === 'expired') throw expired();
    const recovery = link === 'invalid' ? undefined : await findDunning(sql, link.reference);
    if (!recovery) throw new HttpError(400, 'Invalid payment link');
    if (recovery.state === 'unpaid') throw expired();
    return recovery;
  }

  signed.post(
    '/orchestrator/payment-links/read',
    {
      config: { access: { action: 'payment.read' } },
      schema: {
        ...common,
        summary: 'What is owed by a payment link',
        body: contract.linkRequest,
        response: { 200: contract.linkAnswer, ...refusals },
      },
    },
    async ({ accessed, body: { token } }) => {
      const recovery = await recoveryOf(token);
      accessed.records = [recovery.taskId];
      if (recovery.state !== 'open') return { owed: null };
      const { amountCents, currency, reason, status } = recovery;
      const couponEnded = reason === couponEndedReason;
      const remedy = couponEnded || hasOtherCard(recovery) ? 'time' : remedyOf(reason);
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
        summary: 'Open a session in which the patient saves a card, or satisfies their bank',
        description:
          'Where the bank asked for authentication, the session is for the saved card; else for a new one. Nothing is charged.',
        body: contract.linkRequest,
        response: { 200: contract.sessionAnswer, ...refusals },
      },
    },
    async ({ accessed, body: { token } }) => {
      const recovery = await recoveryOf(token);
      accessed.records = [recovery.taskId];
      if (recovery.state !== 'open') throw nothingOwed();
      const { customerId, reason, savedPaymentMethodId: saved } = recovery;
      const isToAuthenticate = remedyOf(reason) === 'authentication' && !hasOtherCard(recovery);
      return cards.openSetup(customerId ?? undefined, isToAuthenticate ? (saved ?? undefined) : undefined);
    },
  );

  signed.post(
    '/orchestrator/payment-links/pay',
    {
      config: { access: { action: 'payment.pay' } },
      schema: {
        ...common,
        summary: 'Pay what is owed by a payment link, once',
        description:
          'With a card or session it is saved first; without, the saved card is charged, unless the bank declined it for good. `paid` is false and `status` `pending` where the verdict comes later.',
        body: contract.payRequest,
        response: { 200: contract.payAnswer, ...refusals },
      },
    },
    async ({ accessed, body: { token, ...card } }): Promise<PayAnswer> => {
      const recovery = await recoveryOf(token);
      accessed.records = [recovery.taskId];
      if (recovery.state !== 'open') throw nothingOwed();
      const outcome = await payNow(temporal, recovery, card, answerWithinMs);
      if (outcome.state === 'completed') return outcome.result;
      return { paid: false, status: 'pending' };
    },
  );
}

const expired = () => new HttpError(400, 'Payment link expired');
const nothingOwed = () => conflict('Nothing is owed');

/** Another card is saved than the one that was declined. */
const hasOtherCard = ({ savedPaymentMethodId: saved, paymentMethodId: declined }: Dunning): boolean =>
  saved !== null && saved !== declined;
