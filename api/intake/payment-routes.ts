import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findPayingSubmission, keepCard } from '../../db/intake/payment-profiles.js';
import { type CardClient, createCardClient } from '../../integrations/stripe/cards.js';
import { type Coupon, createPaymentClient } from '../../integrations/stripe/client.js';
import type { Sql } from '../../db/client.js';
import type { App, ServiceContext } from '../context.js';
import { notFound } from '../http-error.js';
import { refuseWhenExceeded } from '../plugins/rate-limit.js';
import { invalid, orFailWith, refusal, requiring } from './answers.js';
import {
  couponAnswer,
  couponRequest,
  type PaymentInfo,
  paymentInfoAnswer,
  paymentInfoRequest,
  paymentIntentAnswer,
  paymentIntentRequest,
} from './payments-contract.js';

const couponTimeoutMs = 5_000;

/** What an intake asks of the payment processor (page 2, Intake endpoints). Nothing is charged here. */
export function paymentRoutes(app: App, { sql, config, logger }: ServiceContext): void {
  const settings = config.service('intake');
  const processor = { apiBase: settings.STRIPE_API_BASE, secretKey: settings.STRIPE_SECRET_KEY };
  const cards = createCardClient(processor);
  const { findCoupon } = createPaymentClient(processor);
  const couponsPerVisitor = app.createRateLimit({
    max: settings.RATE_LIMIT_COUPONS_PER_MINUTE,
    timeWindow: '1 minute',
  });
  const refusals = { 400: invalid, 413: refusal, 415: refusal, 429: refusal, 500: refusal };

  app.post(
    '/payment-intent',
    {
      preValidation: takeNoBodyAsEmpty,
      schema: {
        tags: ['Payment'],
        summary: 'Open a session in which the browser saves a card',
        body: paymentIntentRequest,
        response: { 200: paymentIntentAnswer, ...refusals },
      },
    },
    ({ body }) =>
      orFailWith('Failed to create payment intent', logger, () => cards.openSetup(body.customerId)),
  );

  app.post(
    '/validate-coupon',
    {
      onRequest: async (request, reply) => refuseWhenExceeded(reply, await couponsPerVisitor(request)),
      schemaErrorFormatter: requiring(['code'], 'Coupon code is required'),
      schema: {
        tags: ['Payment'],
        summary: 'Look a coupon up',
        body: couponRequest,
        response: { 200: couponAnswer, ...refusals },
      },
    },
    ({ body }) =>
      orFailWith('Failed to validate coupon', logger, async () =>
        verdictOn(await findCoupon(body.code, couponTimeoutMs)),
      ),
  );

  app.post(
    '/save-payment-info',
    {
      schemaErrorFormatter: requiring(
        ['submissionId', 'paymentMethodId'],
        'submissionId and paymentMethodId are required',
      ),
      schema: {
        tags: ['Payment'],
        summary: 'Save the card of a submitted intake',
        description:
          'Safe to repeat: the submission has one customer at the processor, the last card counts.',
        body: paymentInfoRequest,
        response: { 200: paymentInfoAnswer, 404: refusal, ...refusals },
      },
    },
    async ({ body }) => {
      await orFailWith('Failed to save payment info', logger, () => savePaymentInfo(sql, cards, body));
      return { success: true as const };
    },
  );
}

/** No body counts as `{}`, `null` does not; the schema could not tell, being shown `null` for both. */
async function takeNoBodyAsEmpty(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {};
}

function verdictOn(coupon: Coupon | undefined): z.infer<typeof couponAnswer> {
  const nothing = { valid: false, amountOff: null, percentOff: null };
  if (!coupon) return { ...nothing, reason: 'Coupon not found' };
  if (!coupon.valid) return { ...nothing, reason: 'Coupon is no longer valid' };
  const { amountOffCents, percentOff } = coupon;
  return { valid: true, amountOff: amountOffCents === null ? null : amountOffCents / 100, percentOff };
}

/**
 * At the processor first, then here in one transaction (D64). Broken off in between, nothing is kept and nobody was
 * told that it was; the same request again finds the customer and card that were made.
 * @throws HttpError 404
 */
async function savePaymentInfo(
  sql: Sql,
  cards: CardClient,
  { submissionId, paymentMethodId, setupIntentId }: PaymentInfo,
): Promise<void> {
  const submission = z.guid().safeParse(submissionId).success
    ? await findPayingSubmission(sql, submissionId)
    : undefined;
  if (!submission) throw notFound('Submission not found');
  const { id, firstName, lastName, email, customerId } = submission;
  const saved = await cards.saveCard(
    { reference: id, name: `${firstName} ${lastName}`, email, customerId },
    { paymentMethodId, setupIntentId },
  );
  await keepCard(sql, id, { ...saved, named: { paymentMethodId, setupIntentId } });
}
