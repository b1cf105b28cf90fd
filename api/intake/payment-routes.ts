import type { z } from 'zod';
import { countRedemptions } from '../../db/coupon-redemptions.js';
import { findPayingSubmission, keepCard } from '../../db/intake/payment-profiles.js';
import { type CardClient, createCardClient } from '../../integrations/stripe/cards.js';
import { createPaymentClient, isCouponOf } from '../../integrations/stripe/client.js';
import type { App, ServiceContext } from '../context.js';
import { addressKey, notVerified, provenBy, proves } from './email-proof.js';
import { forAnybody } from '../plugins/anonymous.js';
import { defaultToEmptyBody } from '../plugins/default-body.js';
import { limitPerAddress } from '../plugins/rate-limit.js';
import { fieldErrors, found, idOf, httpError } from '../http-errors.js';
import * as contract from './contract.js';
import { orFailWith, requiring } from './page-errors.js';

const couponTimeoutMs = 5_000;
/** The currency of every plan. */
const currency = 'usd';

/** Cards and coupons of intakes (page 2, Intake endpoints). Nothing is charged here. */
export function paymentRoutes(app: App, context: ServiceContext): void {
  const { sql, config, logger } = context;
  const settings = config.service('intake');
  const processor = { apiBase: settings.STRIPE_API_BASE, secretKey: settings.STRIPE_SECRET_KEY };
  const cards = createCardClient(processor);
  const { findCoupon } = createPaymentClient(processor);
  const errors = { ...fieldErrors(400, 413, 415, 429), 500: httpError };

  /** A coupon can be used up by our count or by the processor's (D87). */
  async function checkCoupon(code: string): Promise<z.infer<typeof contract.couponAnswer>> {
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
      config: {
        errorCodes: ['email_not_verified', 'unavailable'],
        access: { none: 'public: the caller is not identified' },
      },
      ...forAnybody(limitPerAddress(app, settings.RATE_LIMIT_CARD_SESSIONS_PER_MINUTE)),
      preValidation: defaultToEmptyBody,
      schema: {
        tags: ['Payment'],
        summary: 'Open a session to save a card in the browser',
        description:
          "Where a proof is required, a request without one is 400 `Email is not verified`, and a `customerId` counts only if the proven address is that customer's. Otherwise it always counts, and an unknown one is 500.",
        body: contract.paymentIntentRequest,
        response: { 200: contract.paymentIntentAnswer, ...errors },
      },
    },
    ({ body: { customerId, emailProof } }) =>
      orFailWith('Failed to create payment intent', logger, async () => {
        if (!settings.INTAKE_REQUIRE_EMAIL_PROOF) return cards.openSetup(customerId);
        const address = await provenBy(context, emailProof);
        return cards.openSetup(await ownCustomer(context, cards, customerId, address));
      }),
  );

  app.post(
    '/validate-coupon',
    {
      config: { errorCodes: ['unavailable'], access: { none: 'public: the caller is not identified' } },
      ...forAnybody(limitPerAddress(app, settings.RATE_LIMIT_COUPONS_PER_MINUTE)),
      schemaErrorFormatter: requiring(['code'], 'Coupon code is required'),
      schema: {
        tags: ['Payment'],
        summary: 'Check a coupon',
        body: contract.couponRequest,
        response: { 200: contract.couponAnswer, ...errors },
      },
    },
    ({ body }) => orFailWith('Failed to validate coupon', logger, async () => checkCoupon(body.code)),
  );

  app.post(
    '/save-payment-info',
    {
      config: {
        errorCodes: ['email_not_verified', 'unavailable'],
        access: { none: 'public: the caller is not identified' },
      },
      ...forAnybody(limitPerAddress(app, settings.RATE_LIMIT_UNVERIFIED_PER_MINUTE)),
      schemaErrorFormatter: requiring(
        ['submissionId', 'paymentMethodId'],
        'submissionId and paymentMethodId are required',
      ),
      schema: {
        tags: ['Payment'],
        summary: 'Save the card of a submitted intake',
        description:
          "Safe to repeat: the submission has one customer at the processor, and the last card counts. A second card needs a proof of the submission's address. Where a proof is required, every card needs one. Without it the answer is 400 `Email is not verified`.",
        body: contract.paymentInfoRequest,
        response: { 200: contract.paymentInfoAnswer, ...fieldErrors(404), ...errors },
      },
    },
    async ({ body }) => {
      await orFailWith('Failed to save payment info', logger, () => savePaymentInfo(context, cards, body));
      return { success: true as const };
    },
  );
}

/** The customer, if the proven address is theirs (D86). */
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
 * Saves the card at the processor, then here in one transaction (D64). After a crash in between, the repeated request
 * finds the customer and card at the processor.
 * @throws HttpError 404 for an unknown submission, 400 for a second card without proof of the address (D86)
 */
async function savePaymentInfo(
  context: ServiceContext,
  cards: CardClient,
  { submissionId, paymentMethodId, setupIntentId, emailProof }: contract.PaymentInfo,
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
    { reference: id, contact: { name: `${firstName} ${lastName}`, email }, customerId },
    { paymentMethodId, setupIntentId },
  );
  // Another card may have been saved concurrently.
  if (!(await keepCard(sql, id, { ...saved, named: { paymentMethodId, setupIntentId }, emailProven })))
    throw notVerified();
}
