import type { z } from 'zod';
import { findNextDelivery, recordDelivery } from '../../db/event-deliveries.js';
import type { Sql } from '../../db/client.js';
import type { WorkItemSchema } from '../../db/work-items.js';
import type {
  EventConsumer,
  EventEnvelope,
  EventSubscriber,
  NextDelivery,
  SubscribedType,
} from '../../domain/events.js';
import { failureTypes } from '../../domain/failures.js';
import { permanentFailure } from '../calls.js';

/** Handles one event, idempotently. Throws temporary faults; fails permanently on an event it can never take. */
export type EventHandler = (event: EventEnvelope) => Promise<void>;

/** One handler for each event type that a subscriber subscribes to (domain/events.ts). */
export type Handlers<S extends EventSubscriber> = Record<SubscribedType<S>, EventHandler>;

/** The consumers of a queue: its own service, and the event sink if the service publishes to it. */
type Consumers = { [S in EventSubscriber]?: Handlers<S> } & { sink?: EventHandler };

/** Reads the detail of an event with a schema. @throws Rejected when it is malformed, which a retry cannot fix (D97) */
export function detailOf<T>({ detailType, detail }: EventEnvelope, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(detail);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.join('.') || 'all of it');
  throw permanentFailure(
    failureTypes.rejected,
    `${detailType} cannot be read: ${[...new Set(fields)].join(', ')}`,
  );
}

export const createEventQueueActivities = ({ sql, schema }: { sql: Sql; schema: WorkItemSchema }) => ({
  /** Finds the first event of an aggregate that a consumer has not received. Safe to retry: it only reads. */
  async nextEvent(queue: { consumer: EventConsumer; aggregateId: string }): Promise<NextDelivery | null> {
    return findNextDelivery(sql, schema, queue);
  },

  /**
   * Records the result of an attempt. Safe to retry: it writes the same values, and a closed delivery stays as it is.
   */
  recordEventDelivery: (attempt: Parameters<typeof recordDelivery>[2]) =>
    recordDelivery(sql, schema, attempt),
});

export const createEventConsumerActivities = (consumers: Consumers) => ({
  /** Delivers an event. Safe to retry: handlers are idempotent by the event's id or its resulting state. */
  async consumeEvent({ consumer, event }: { consumer: EventConsumer; event: EventEnvelope }): Promise<void> {
    const own: EventHandler | Readonly<Record<string, EventHandler>> | undefined = consumers[consumer];
    if (!own) throw permanentFailure(failureTypes.rejected, `${consumer} takes no events here`);
    const handle = typeof own === 'function' ? own : own[event.detailType];
    // This release does not subscribe to the type yet; a later one will, so the delivery is retried.
    if (!handle) throw new Error(`${consumer} does not know ${event.detailType}`);
    await handle(event);
  },
});

/** The delivery activities of a service that publishes and consumes. */
export const createEventActivities = (sql: Sql, schema: WorkItemSchema, consumers: Consumers) => ({
  ...createEventQueueActivities({ sql, schema }),
  ...createEventConsumerActivities(consumers),
});

export type EventQueueActivities = ReturnType<typeof createEventQueueActivities>;
export type EventConsumerActivities = ReturnType<typeof createEventConsumerActivities>;
