import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { EventQueueActivities } from '../../activities/events/deliveries.js';
import { highestKnownVersion } from '../../db/admin-sessions.js';
import { publishEvent } from '../../db/outbox.js';
import { consumersOf, type EventEnvelope } from '../../domain/events.js';
import type { ServiceName } from '../../platform/service-names.js';
import { sandbox } from '../helpers/client.js';
import { db, dev } from './real-parts.js';
import type { Entries, Event } from './twice.js';

/** An event that nobody has heard of. */
export const eventOf = (
  source: ServiceName,
  detailType: string,
  detail: unknown,
  organizationId: string | null = null,
): EventEnvelope => ({
  id: randomUUID(),
  source,
  detailType,
  time: new Date().toISOString(),
  organizationId,
  detail,
});

/** The deliveries of a service's outbox, shown with an event of a type that somebody subscribes to. */
export function eventQueue(source: ServiceName, detailType: string): Entries<EventQueueActivities> {
  const [consumer] = consumersOf({ source, detailType });
  if (consumer === undefined) throw new Error(`nobody subscribes to ${detailType}`);

  /** Counts as shipped and is due in an hour: neither the relay nor a sweep delivers it meanwhile. */
  async function waitingEvent() {
    const aggregateId = randomUUID();
    const eventId = await db.begin(async (sql) => {
      const event = { detailType, aggregateId, detail: {} };
      const id = await publishEvent(sql, source, event);
      await sql`update ${sql(`${source}.outbox`)} set shipped_at = now() where id = ${id}`;
      await sql`
        update ${sql(`${source}.event_delivery`)} set due_at = now() + interval '1 hour' where event_id = ${id}
      `;
      return id;
    });
    return { aggregateId, eventId };
  }

  return {
    nextEvent: async () => {
      const { aggregateId, eventId } = await waitingEvent();
      const event = expect.objectContaining({ id: eventId, detailType });
      return {
        input: { consumer, aggregateId },
        answers: { event, attempts: 0, firstAttemptAt: null, dueAt: expect.any(Number), lastError: null },
      };
    },
    recordEventDelivery: async () => {
      const { eventId } = await waitingEvent();
      return {
        input: {
          eventId,
          consumer,
          attempts: 1,
          firstAttemptAt: Date.now(),
          verdict: { state: 'delivered' },
        },
        seen: () => db`
          select state, attempts, settled_at from ${db(`${source}.event_delivery`)}
          where event_id = ${eventId} and consumer = ${consumer}
        `,
        once: [{ state: 'delivered', attempts: 1, settledAt: expect.any(Date) }],
      };
    },
  };
}

/** The work items about a fact, and how often they were reported. */
export const workItemsOf = (schema: 'router' | 'orchestrator', fact: string) => db`
  select kind, reason, state, (
      select count(*)::int from ${db(`${schema}.outbox`)} as entry where entry.aggregate_id = item.id::text
    ) as told
  from ${db(`${schema}.work_item`)} as item
  where fact = ${fact}
`;

/** Events that end an admin's sessions, for a service that accepts their tokens. */
export function sessionEvents(service: ServiceName) {
  const ending = (detailType: string) => async (): Promise<Event> => {
    const adminUserId = randomUUID();
    return {
      event: eventOf('organization', detailType, { adminUserId, ver: 3 }),
      seen: () => highestKnownVersion(db, service)(adminUserId),
      once: 3,
    };
  };
  return {
    'admin.membership_revoked': ending('admin.membership_revoked'),
    'admin.user_suspended': ending('admin.user_suspended'),
    'admin.operator_revoked': ending('admin.operator_revoked'),
    'admin.user_signed_out': ending('admin.user_signed_out'),
  };
}

/** Events that a service publishes. */
export const toldOutside = (source: ServiceName) => async (): Promise<Event> => {
  const event = eventOf(source, 'test.told', {});
  return {
    event,
    seen: async () => {
      const { events } = await sandbox<{ events: { event: { id: string } }[] }>(dev, '/events');
      return events.filter((told) => told.event.id === event.id).map((told) => told.event.id);
    },
    once: [event.id],
    atLeastOnce: 'the outside owes us no memory; it knows a repeat by the id of the event (D73)',
  };
};
