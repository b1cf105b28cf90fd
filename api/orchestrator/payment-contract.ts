import { z } from 'zod';
import { dunningStates } from '../../domain/orchestrator/dunning.js';
import { pageQuery } from '../cursor.js';
import { clientOfEntry, clientQuery } from './whose.js';
import { text } from '../../platform/http/text.js';

const processorId = text(255).min(1).optional();
const token = text(4_000).min(1).describe('Token in the link sent to the patient');
const paymentStatus = z.enum(['pending', 'succeeded', 'failed']);

const caller = z
  .object({ ip: text(45), userAgent: text(500).nullable() })
  .optional()
  .describe('Where the request came from that one of our services hands on (D165)');
export const linkRequest = z.object({ token, caller }).meta({ id: 'PaymentLink' });
export const linkAnswer = z.object({
  owed: z
    .object({
      amountCents: z.int(),
      currency: z.string(),
      couponEnded: z.boolean().describe('The coupon is no longer valid and the amount excludes it'),
      needs: z
        .enum(['card', 'authentication', 'nothing'])
        .describe('`card`: another card; `authentication`: by the bank; `nothing`: the saved card is enough'),
      status: paymentStatus.describe('`pending`: a charge is running'),
    })
    .nullable()
    .describe('Null if the charge is paid or the order canceled'),
});
export const sessionAnswer = z.object({ clientSecret: z.string(), setupIntentId: z.string() });
export const payRequest = z
  .object({ token, paymentMethodId: processorId, setupIntentId: processorId, caller })
  .meta({ id: 'PayByLink' });
export const payAnswer = z.object({ paid: z.boolean(), status: paymentStatus });

export const recoveriesQuery = pageQuery.extend({ ...clientQuery, state: z.enum(dunningStates).optional() });
const recovery = z
  .object({
    reference: z.string().describe('The task, or the reference of a refill'),
    taskId: z.string(),
    ...clientOfEntry,
    state: z.enum(dunningStates).describe('`unpaid`: dunning has ended and a work item is open'),
    status: paymentStatus,
    reason: z.string().nullable().describe('Reason of the last failure'),
    amountCents: z.int(),
    currency: z.string(),
    attempt: z.int(),
    messagesSent: z.int(),
    openedAt: z.date(),
    nextAt: z
      .date()
      .nullable()
      .describe('Time of the next charge, reminder or end; null once dunning has ended'),
    endsAt: z.date(),
  })
  .meta({ id: 'PaymentRecovery' });
export const recoveries = z.object({
  recoveries: z.array(recovery),
  nextCursor: z.string().nullable(),
});
