import { z } from 'zod';
import { dunningStates } from '../../domain/orchestrator/dunning.js';
import { pageQuery } from '../cursor.js';
import { text } from '../../platform/http/text.js';

/** The processor makes no longer ids. */
const processorId = text(255).min(1).optional();
const token = text(4_000).min(1).describe('Of the link that the patient was sent');
const paymentStatus = z.enum(['pending', 'succeeded', 'failed']);

export const linkRequest = z.object({ token }).meta({ id: 'PaymentLink' });
export const linkAnswer = z.object({
  owed: z
    .object({
      amountCents: z.int(),
      currency: z.string(),
      couponEnded: z.boolean().describe('The amount is without the coupon, which is no longer valid'),
      needs: z
        .enum(['card', 'authentication', 'nothing'])
        .describe('Another card, the check of the bank, or nothing that the saved card does not bring'),
      status: paymentStatus.describe('`pending`: a charge is under way'),
    })
    .nullable()
    .describe('Null when it is paid, or the order was cancelled'),
});
export const sessionAnswer = z.object({ clientSecret: z.string(), setupIntentId: z.string() });
export const payRequest = z
  .object({ token, paymentMethodId: processorId, setupIntentId: processorId })
  .meta({ id: 'PayByLink' });
export const payAnswer = z.object({ paid: z.boolean(), status: paymentStatus });

export const recoveriesQuery = pageQuery.extend({ state: z.enum(dunningStates).optional() });
const recovery = z
  .object({
    reference: z.string().describe('The task, or a refill’s reference'),
    taskId: z.string(),
    state: z.enum(dunningStates).describe('`unpaid`: its time is over, and a person is asked'),
    status: paymentStatus,
    reason: z.string().nullable().describe('Of the last failure'),
    amountCents: z.int(),
    currency: z.string(),
    attempt: z.int(),
    messagesSent: z.int(),
    openedAt: z.date(),
    nextAt: z
      .date()
      .nullable()
      .describe('When it is charged again, reminded of or given up; null once it has ended'),
    endsAt: z.date(),
  })
  .meta({ id: 'PaymentRecovery' });
export const recoveries = z.object({
  recoveries: z.array(recovery),
  nextCursor: z.string().nullable(),
});
