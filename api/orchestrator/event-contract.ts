import { z } from 'zod';
import { eventTypes, typesNamed } from '../../domain/orchestrator/events.js';
import { text } from '../../platform/http/text.js';
import { pageQuery } from '../cursor.js';

const noType = 'Must be types of events, or a group such as order.*';
const noSequence = 'Must be a sequence, 0 or latest';
/** A sequence, as long as JavaScript counts exactly. */
const sequence = /^\d{1,15}$/;

export const eventQuery = z.object({
  after: text(15, noSequence)
    .refine((after) => after === 'latest' || sequence.test(after), noSequence)
    .transform((after) => (after === 'latest' ? after : Number(after)))
    .default(0)
    .meta({ documented: { type: 'string', maxLength: 15, default: '0' } })
    .describe('Events after this sequence: 0 is the beginning, `latest` the newest'),
  types: text(2_000, noType)
    .transform((list, context) => {
      const named = typesNamed(list.split(','));
      if (named) return named;
      context.addIssue({ code: 'custom', message: noType });
      return z.NEVER;
    })
    .optional()
    .meta({ documented: { type: 'string', maxLength: 2_000 } })
    .describe('Types separated by commas; `order.*` names a group'),
  taskId: text(200).min(1).optional().describe('Only events of this task'),
  limit: pageQuery.shape.limit,
});

const clientEvent = z
  .object({
    id: z.string(),
    sequence: z.number().int().describe('From 1 without gaps'),
    type: z.enum(eventTypes),
    at: z.string(),
    taskId: z.string().nullable().describe('null for `plan.*`'),
    planId: z.string().nullable(),
    data: z.record(z.string(), z.unknown()).describe('By type, see the events of the orchestrator'),
  })
  .meta({ id: 'ClientEvent' });

export const clientEvents = z.object({
  events: z.array(clientEvent),
  nextAfter: z.number().int().describe('The last sequence looked at: the next `after`'),
});
