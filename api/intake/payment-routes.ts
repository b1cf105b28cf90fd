import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { countRedemptions } from '../../db/coupon-redemptions.js';
import { findPayingSubmission, keepCard } from '../../db/intake/payment-profiles.js';
import { type CardClient, createCardClient } from '../../integrations/stripe/cards.js';
import { createPaymentClient, isCouponOf } from '../../integrations/stripe/client.js';
import type { App, ServiceContext } from '../context.js';
import { addressKey, notVerified, provenBy, proves } from './email-proof.js';
import { limitPerAddress } from '../plugins/rate-limit.js';
import { fieldErrors, found, idOf, httpError } from '../http-errors.js';
import {
  couponAnswer,
  couponRequest,
  type PaymentInfo,
  paymentInfoAnswer,
  paymentInfoRequest,
  paymentIntentAnswer,
  paymentIntentRequest,
} from './contract.js';
import { orFailWith, requiring } from './refuse.js';

const couponTimeoutMs = 5_000;
/** Of every price of a plan. */
const currency = 'usd';

/** What an intake asks of the payment processor (page 2, Intake endpoints). Nothing is charged here. */
export function paymentRoutes(app: App, context: ServiceContext): void {
  const { sql, config, logger } = context;
  const settings = config.service('intake');
  const processor = { apiBase: settings.STRIPE_API_BASE, secretKey: settings.STRIPE_SECRET_KEY };
  const cards = createCardClient(processor);
  const { findCoupon } = createPaymentClient(processor);
  const refusals = { ...fieldErrors(400, 413, 415, 429), 500: httpError };

  /** What a coupon would take off a charge now, used up by our count or by the processor's (D87). */
  async function couponVerdict(code: string): Promise<z.infer<typeof couponAnswer>> {
    const coupon = await findCoupon(code, couponTimeoutMs);
    const nothing = { valid: false, amountOff: null, percentOff: null };
    if (!coupon || !isCouponOf(currency, coupon)) return { ...nothing, reason: 'Coupon not found' };
    const { amountOffCents, percentOff, redemptionsLeft: left } = coupon;
    const isUsedUp = left !== null && (await countRedemptions(sql, code)) >= left;
    if (!coupon.valid || isUsedUp) return { ...nothing, reason: 'Coupon is no longer valid' };
    return { valid: true, amountOff: amountOffCents === null ? null : amountOffCents / 100, percentOff };
  }

  app.post(
    '/payment-intent',
    {
      config: { access: { none: 'public: whoever saves a card, who is nobody known' } },
      onRequest: limitPerAddress(app, settings.RATE_LIMIT_CARD_SESSIONS_PER_MINUTE),
      preValidation: takeNoBodyAsEmpty,
      schema: {
        tags: ['Payment'],
        summary: 'Open a session in which the browser saves a card',
        description:
          "A `customerId` counts only with a proof of that customer's own address. Where a proof is required, a request without is 400 `Email is not verified`.",
        body: paymentIntentRequest,
        response: { 200: paymentIntentAnswer, ...refusals },
      },
    },
    ({ body: { customerId, emailProof } }) =>
      orFailWith('Failed to create payment intent', logger, async () => {
        const address = await provenBy(context, emailProof);
        return cards.openSetup(await ownCustomer(context, cards, customerId, address));
      }),
  );

  app.post(
    '/validate-coupon',
    {
      config: { access: { none: 'public: whoever saves a card, who is nobody known' } },
      onRequest: limitPerAddress(app, settings.RATE_LIMIT_COUPONS_PER_MINUTE),
      schemaErrorFormatter: requiring(['code'], 'Coupon code is required'),
      schema: {
        tags: ['Payment'],
        summary: 'Look a coupon up',
        body: couponRequest,
        response: { 200: couponAnswer, ...refusals },
      },
    },
    ({ body }) => orFailWith('Failed to validate coupon', logger, async () => couponVerdict(body.code)),
  );

  app.post(
    '/save-payment-info',
    {
      config: { access: { none: 'public: whoever saves a card, who is nobody known' } },
      schemaErrorFormatter: requiring(
        ['submissionId', 'paymentMethodId'],
        'submissionId and paymentMethodId are required',
      ),
      schema: {
        tags: ['Payment'],
        summary: 'Save the card of a submitted intake',
        description:
          "Safe to repeat: the submission has one customer at the processor, the last card counts. Another card than the first needs a proof of the submission's address, and every card where a proof is required: else 400 `Email is not verified`.",
        body: paymentInfoRequest,
        response: { 200: paymentInfoAnswer, ...fieldErrors(404), ...refusals },
      },
    },
    async ({ body }) => {
      await orFailWith('Failed to save payment info', logger, () => savePaymentInfo(context, cards, body));
      return { success: true as const };
    },
  );
}

/** No body counts as `{}`, `null` does not; the schema could not tell, being shown `null` for both. */
async function takeNoBodyAsEmpty(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {};
}

/** The customer of a session: only the proven address's own, or none (D86). */
async function ownCustomer(
  context: ServiceContext,
  cards: CardClient,
  customerId: string | undefined,
  address: string | undefined,
): Promise<string | undefined> {
  if (customerId === undefined || address === undefined) return undefined;
  const email = await cards.findCustomerEmail(customerId);
  return email !== undefined && addressKey(context, email) === address ? customerId : undefined;
}

/**
 * At the processor first, then here in one transaction (D64). Broken off in between, nothing is kept and nobody was
 * told that it was; the same request again finds the customer and card that were made.
 * @throws Refused 404, and 400 for another card than the first without proof of the address (D86)
 */
async function savePaymentInfo(
  context: ServiceContext,
  cards: CardClient,
  { submissionId, paymentMethodId, setupIntentId, emailProof }: PaymentInfo,
): Promise<void> {
  const { sql } = context;
  await provenBy(context, emailProof);
  const submission = found(await findPayingSubmission(sql, idOf(submissionId, 'Submission')), 'Submission');
  const { id, firstName, lastName, email, customerId } = submission;
  const emailProven = await proves(context, emailProof, email);
  const isAnother =
    submission.cardId !== null && ![submission.cardId, submission.paymentMethodId].includes(paymentMethodId);
  if (isAnother && !emailProven) throw notVerified();
  const saved = await cards.saveCard(
    { reference: id, name: `${firstName} ${lastName}`, email, customerId },
    { paymentMethodId, setupIntentId },
  );
  // Two cards may have come at once.
  if (!(await keepCard(sql, id, { ...saved, named: { paymentMethodId, setupIntentId }, emailProven })))
    throw notVerified();
}
