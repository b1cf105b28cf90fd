import { z } from 'zod';
import { given } from './answers.js';

export const paymentIntentRequest = z
  .object({ customerId: given.optional().describe('The session is attached to this customer') })
  .meta({ id: 'PaymentIntent' });
export const paymentIntentAnswer = z.object({
  clientSecret: z.string().describe('For the payment library in the browser, which saves the card with it'),
  setupIntentId: z.string(),
});

export const couponRequest = z
  .object({ code: given.describe('Exactly the id of the coupon at the payment processor') })
  .meta({ id: 'Coupon' });
export const couponAnswer = z.object({
  valid: z.boolean(),
  amountOff: z.number().nullable().describe('In dollars'),
  percentOff: z.number().nullable(),
  reason: z.enum(['Coupon is no longer valid', 'Coupon not found']).optional(),
});

export const paymentInfoRequest = z
  .object({ submissionId: given, paymentMethodId: given, setupIntentId: given.optional() })
  .meta({ id: 'PaymentInfo' });
export const paymentInfoAnswer = z.object({ success: z.literal(true) });

export type PaymentInfo = z.infer<typeof paymentInfoRequest>;
