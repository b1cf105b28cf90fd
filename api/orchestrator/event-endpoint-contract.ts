import { z } from 'zod';
import { endpointStates } from '../../domain/orchestrator/event-endpoints.js';
import { typesNamed } from '../../domain/orchestrator/events.js';
import { text, webUrl } from '../../platform/http/text.js';

const noName = 'Must be a type of events, or a group such as order.*';

export const newEndpoint = z.object({
  url: webUrl.describe('Where deliveries are posted'),
  types: z
    .array(text(50, noName).refine((name) => typesNamed([name]) !== undefined, noName))
    .min(1)
    .max(100)
    .nullable()
    .default(null)
    .describe('Types or groups such as `order.*`; all if omitted'),
  state: z.enum(['enabled', 'disabled']).default('enabled'),
});

export const rewinding = z.object({
  after: z.number().int().min(0).max(999_999_999_999_999).describe('0, or the sequence of an event'),
});

export const oneEndpoint = z
  .object({
    endpoint: z.object({
      url: z.string(),
      types: z.array(z.string()).nullable().describe('null: all'),
      state: z.enum(endpointStates),
      deliveredUpTo: z
        .number()
        .int()
        .describe('Every event up to this sequence is delivered, or is of another type'),
      failingSince: z.string().nullable().describe('The first failure since the last success'),
      lastError: z.string().nullable(),
    }),
  })
  .meta({ id: 'EventEndpoint' });

export const removed = z.null().describe('Removed');

export const testDelivery = z
  .object({
    status: z.number().int().nullable().describe("The receiver's; null without an answer"),
    durationMs: z.number().int(),
  })
  .meta({ id: 'TestDelivery' });
