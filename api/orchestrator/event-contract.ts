import { z } from 'zod';
import {
  type EventField,
  eventFields,
  type EventType,
  eventTypes,
  typesNamed,
} from '../../domain/orchestrator/events.js';
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

const fieldSchemas = {
  text: z.string(),
  'text?': z.string().nullable(),
  integer: z.number().int(),
  'integer?': z.number().int().nullable(),
  texts: z.array(z.string()) as z.ZodType<readonly string[]>,
};
const schemaOf = (field: EventField) => (typeof field === 'string' ? fieldSchemas[field] : z.enum(field));

/** The name of a type's schema: `ApprovalCompletedEvent`. */
const schemaName = (type: EventType): string =>
  `${type.replace(/(?:^|\.)(\w)/g, (_all, first: string) => first.toUpperCase())}Event`;

const eventOf = (type: EventType) =>
  z
    .object({
      id: z.string().describe('The same at every reading'),
      sequence: z.number().int().describe('From 1 without gaps'),
      type: z.literal(type),
      at: z.string(),
      taskId: z.string().nullable().describe('null for `plan.*`'),
      planId: z.string().nullable().describe('null without a plan'),
      data: z.object(
        Object.fromEntries(
          Object.entries<EventField>(eventFields[type]).map(([name, field]) => [name, schemaOf(field)]),
        ),
      ),
    })
    .meta({ id: schemaName(type) });
type EventSchema = ReturnType<typeof eventOf>;

/** One schema per type; `type` distinguishes them. */
const clientEvent = z
  .discriminatedUnion('type', eventTypes.map(eventOf) as [EventSchema, ...EventSchema[]])
  .meta({ id: 'ClientEvent' })
  .describe('`type` says which event it is. Ignore types that you do not know: the list grows');

export const clientEvents = z.object({
  events: z.array(clientEvent),
  nextAfter: z.number().int().describe('The last sequence looked at: the next `after`'),
});
