import { findNextDelivery, recordDelivery } from '../../db/event-deliveries.js';
import type { Sql } from '../../db/client.js';
import type { DeliveryVerdict, EventConsumer, EventEnvelope, NextDelivery } from '../../domain/events.js';
import { failureTypes } from '../../domain/failures.js';
import { refuse } from '../failures.js';

/** What a consumer does with an event: has one effect however often it is called, throws what passes, refuses what never will. */
export type EventHandler = (event: EventEnvelope) => Promise<void>;

/** These run on the queue of the service that published. */
export const createEventQueueActivities = ({ sql, schema }: { sql: Sql; schema: string }) => ({
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
  }): Promise<void> {
    await recordDelivery(sql, schema, attempt);
  },
});

/** These run on the queue of a consumer, which may be the outside too. */
export const createEventConsumerActivities = (consumers: Partial<Record<EventConsumer, EventHandler>>) => ({
  /**
   * Lets a consumer have an event.
   *
   * Safe to retry: every handler is idempotent by the event's id or by the state it leads to.
   */
  async consumeEvent({ consumer, event }: { consumer: EventConsumer; event: EventEnvelope }): Promise<void> {
    const handle = consumers[consumer];
    if (!handle) throw refuse(failureTypes.rejected, `${consumer} takes no events here`);
    await handle(event);
  },
});

export type EventQueueActivities = ReturnType<typeof createEventQueueActivities>;
export type EventConsumerActivities = ReturnType<typeof createEventConsumerActivities>;
