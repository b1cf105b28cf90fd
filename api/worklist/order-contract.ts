import { z } from 'zod';
import { text } from '../../platform/http/text.js';
import { idempotencyHeaders } from '../idempotency.js';
import { taskAtDesk } from '../../integrations/worklist/orders.js';
import { timeline } from '../timeline.js';
import { itemContext } from '../../integrations/worklist/contexts.js';
import { missing } from './contract.js';
import { orderActionNames } from './order-actions.js';

export const clientName = text(40)
  .regex(/^[a-z0-9-]{1,40}$/)
  .describe('The named client whose task it is (D140)');

export const orderParams = z.object({ taskId: text(220).min(1) });
export const orderQuery = z.object({ client: clientName.optional() });

const action = z.enum(orderActionNames);
export const order = z.object({
  task: taskAtDesk
    .extend({
      orderStatus: z.string().nullable().describe('As the router knows it; null while it is away'),
    })
    .meta({ id: 'TaskAtDesk' }),
  context: itemContext,
  missing,
  timeline: timeline.shape.entries,
  actions: z.array(
    z
      .object({
        action,
        title: z.string(),
        effect: z.string().describe('Its effect on this order'),
        needs: z.array(z.string()).describe('`note`, or fields of `data`'),
        allowed: z.boolean(),
        why: z.string().nullable().describe('Why it is not allowed now'),
      })
      .meta({ id: 'OrderAction' }),
  ),
  history: z
    .array(
      z
        .object({
          at: z.iso.datetime(),
          actor: z.string().describe('E-mail address of the person'),
          action: z.string(),
          note: z.string().nullable(),
        })
        .meta({ id: 'OrderHistoryEntry' }),
    )
    .describe('What people asked for at the desk, oldest first'),
});

export const actHeaders = idempotencyHeaders(
  'Requests with the same key are one action, however often it is sent; a repeat has `Idempotent-Replayed: true`',
);
export const givenAction = z
  .object({
    action,
    data: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('The body of the route that the action calls'),
    note: text(500).optional().describe('The reason, which some actions need'),
  })
  .meta({ id: 'GivenAction' });
/** As the route of the action answers. */
export const acted = z.record(z.string(), z.unknown());
