import { describe, expect, it } from '@jest/globals';
import type { EventConsumerActivities, EventQueueActivities } from '../../../activities/events/deliveries.js';
import type { EventConsumer, NextDelivery } from '../../../domain/events.js';
import { deliverEvents } from '../../replay/cases/deliver-events.js';
import { outage, refusal } from '../orchestrator/pipeline-activities.js';
import { useRuns } from '../runs.js';

const { run: runCase, testCases, time } = useRuns('deliverEvents');

/** The table with events 1 to `count`; `consume` is the consumer at an event's attempt, from 1. */
function queueOf(count: number, consume: (n: number, attempt: number) => void) {
  const rows = Array.from({ length: count }, (_each, index) => ({
    n: index + 1,
    state: 'pending',
    attempts: 0,
    firstAttemptAt: null as number | null,
    dueAt: null as number | null,
  }));
  const taken: number[] = [];
  const tried: number[] = [];
  const activities = {
    nextEvent: async (): Promise<NextDelivery | null> => {
      const row = rows.find(({ state }) => state !== 'delivered');
      if (!row || row.state === 'dead') return null;
      const { n, attempts, firstAttemptAt, dueAt } = row;
      const event = {
        id: String(n),
        source: 'patients',
        detailType: 'patient.archived',
        time: new Date(0).toISOString(),
        organizationId: null,
        detail: { n },
      };
      return { event, attempts, firstAttemptAt, dueAt, lastError: null };
    },
    consumeEvent: async ({ event }: Parameters<EventConsumerActivities['consumeEvent']>[0]) => {
      const n = Number(event.id);
      tried.push(n);
      consume(n, rows[n - 1]!.attempts + 1);
      taken.push(n);
    },
    recordEventDelivery: async ({
      eventId,
      attempts,
      firstAttemptAt,
      verdict,
    }: Parameters<EventQueueActivities['recordEventDelivery']>[0]) => {
      const dueAt = verdict.state === 'pending' ? verdict.dueAt : null;
      Object.assign(rows[Number(eventId) - 1]!, { state: verdict.state, attempts, firstAttemptAt, dueAt });
    },
  };
  return { rows, taken, tried, activities };
}

const run = (activities: object, consumer: EventConsumer = 'sink') =>
  runCase({ args: [{ source: 'patients', consumer, aggregateId: 'one' }], activities });

describe('the events of one record', () => {
  testCases(deliverEvents);

  it('reach their consumer in order, each tried until it is taken', async () => {
    const queue = queueOf(3, (n, attempt) => {
      if (attempt <= n) outage();
    });
    await run(queue.activities);
    expect(queue.taken).toEqual([1, 2, 3]);
    expect(queue.tried).toEqual([1, 1, 2, 2, 2, 3, 3, 3, 3]);
  });

  it('stop behind one that is refused, which is not tried again', async () => {
    const queue = queueOf(3, (n) => {
      if (n === 2) refusal()();
    });
    await run(queue.activities);
    expect(queue.rows.map(({ state }) => state)).toEqual(['delivered', 'dead', 'pending']);
    expect(queue.tried).toEqual([1, 2]);
  });

  it('stop behind one that was tried in vain for 72 h', async () => {
    const queue = queueOf(2, outage);
    const [first, second] = queue.rows;
    const halfAnHourMs = 30 * 60_000;
    const firstAttemptAt = (await time().env.currentTimeMs()) - 72 * 3_600_000 + halfAnHourMs;
    Object.assign(first!, { attempts: 430, firstAttemptAt });
    await run(queue.activities);
    expect([first!.state, second!.state]).toEqual(['dead', 'pending']);
    expect(new Set(queue.tried)).toEqual(new Set([1]));
    // Ten minutes apart until the time is over, and then no more.
    expect(queue.tried.length).toBeGreaterThan(1);
    expect(queue.tried.length).toBeLessThan(8);
  });

  it('are taken on the queue of the consumer, not on that of the source', async () => {
    const queue = queueOf(2, () => undefined);
    const { nextEvent, recordEventDelivery, consumeEvent } = queue.activities;
    const source = { nextEvent, recordEventDelivery };
    await time().withWorker('bridge', { consumeEvent }, () => run(source, 'bridge'));
    expect(queue.taken).toEqual([1, 2]);
  });
});
