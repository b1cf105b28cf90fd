import { z } from 'zod';
import { filled } from '../../platform/http/text.js';
import { httpError } from '../http-errors.js';
import { idempotencyHeaders } from '../idempotency.js';
import { anyTaskId } from './contract.js';
import { onBehalfOf } from './on-behalf-of.js';

export const refundHeaders = idempotencyHeaders(
  'Requests with the same key are one refund, which a repeat returns with `Idempotent-Replayed: true`',
);
export const refundRequest = z
  .object({
    taskId: anyTaskId,
    amountCents: z.number().int().min(1).max(99_999_999).optional().describe('If omitted, all that is left'),
    reason: filled(500),
    ...onBehalfOf,
  })
  .meta({ id: 'RefundRequest' });
export type RefundRequest = z.infer<typeof refundRequest>;
export const refunded = z
  .object({
    refund: z.object({
      amountCents: z.number().int().describe('Of this refund'),
      refundedCents: z.number().int().describe('The refunded part of the charge so far'),
      state: z.enum(['succeeded', 'pending', 'failed']).describe('`failed`: the processor rejected it'),
    }),
  })
  .meta({ id: 'Refunded' });
export const notRefundable = httpError
  .extend({ leftCents: z.number().int().optional().describe('With `More than is left`') })
  .meta({ id: 'NotRefundable' });
