import type { z } from 'zod';
import { findNextDelivery, recordDelivery } from '../../db/event-deliveries.js';
import type { Sql } from '../../db/client.js';
import type { WorkItemSchema } from '../../db/work-items.js';
import type {
  DeliveryVerdict,
  EventConsumer,
  EventEnvelope,
  EventSubscriber,
  NextDelivery,
  SubscribedType,
} from '../../domain/events.js';
import { failureTypes } from '../../domain/failures.js';
import { permanentFailure } from '../failures.js';

/** What a consumer does with an event: has one effect however often it is called, throws what passes, refuses what never will. */
export type EventHandler = (event: EventEnvelope) => Promise<void>;

/** What a subscriber does with each of the events it subscribes to (domain/events.ts). */
export type Handlers<S extends EventSubscriber> = Record<SubscribedType<S>, EventHandler>;

/** The consumers of a queue: its own service, and the outside where that service publishes. */
type Consumers = { [S in EventSubscriber]?: Handlers<S> } & { sink?: EventHandler };

/**
 * What an event tells, read by a schema.
 * @throws Rejected when it is malformed, which no other attempt would mend (D97)
 */
export function detailOf<T>({ detailType, detail }: EventEnvelope, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(detail);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.join('.') || 'all of it');
  throw permanentFailure(
    failureTypes.rejected,
    `${detailType} cannot be read: ${[...new Set(fields)].join(', ')}`,
  );
}

/** These run on the queue of the service that published. */
export const createEventQueueActivities = ({ sql, schema }: { sql: Sql; schema: WorkItemSchema }) => ({
  /**
   * The first event of an aggregate that a consumer has not got yet.
   *
   * Safe to retry: only reads.
   */
  async nextEvent(queue: { consumer: EventConsumer; aggregateId: string }): Promise<NextDelivery | null> {
    return findNextDelivery(sql, schema, queue);
  },

  /**
   * Records what became of an attempt.
   *
   * Safe to retry: the same values again; one that is settled stays as it is.
   */
  async recordEventDelivery(attempt: {
    eventId: string;
    consumer: EventConsumer;
    attempts: number;
    firstAttemptAt: number;
    verdict: DeliveryVerdict;
    /** The consumer has answered that it does not take it, which may pass. */
    refused?: boolean;
  }): Promise<void> {
    await recordDelivery(sql, schema, attempt);
  },
});

/** These run on the queue of a consumer, which may be the outside too. */
export const createEventConsumerActivities = (consumers: Consumers) => ({
  /**
   * Lets a consumer have an event.
   *
   * Safe to retry: every handler is idempotent by the event's id or by the state it leads to.
   */
  async consumeEvent({ consumer, event }: { consumer: EventConsumer; event: EventEnvelope }): Promise<void> {
    const own: EventHandler | Readonly<Record<string, EventHandler>> | undefined = consumers[consumer];
    if (!own) throw permanentFailure(failureTypes.rejected, `${consumer} takes no events here`);
    const handle = typeof own === 'function' ? own : own[event.detailType];
    // A release that does not subscribe to it yet: the next one will.
    if (!handle) throw new Error(`${consumer} does not know ${event.detailType}`);
    await handle(event);
  },
});

export type EventQueueActivities = ReturnType<typeof createEventQueueActivities>;
export type EventConsumerActivities = ReturnType<typeof createEventConsumerActivities>;
