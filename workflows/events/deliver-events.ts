import { setCurrentDetails } from '@temporalio/workflow';
import type { EventConsumerActivities, EventQueueActivities } from '../../activities/events/deliveries.js';
import {
  consumerRefused,
  type DeliveryVerdict,
  type EventConsumer,
  judgeFailedDelivery,
  type NextDelivery,
} from '../../domain/events.js';
import { failureTypes } from '../../domain/failures.js';
import { workThroughQueue } from './ordered-queue.js';
import { failureOf, ordinary, ownRecords } from '../proxies.js';
import { taskQueues } from '../queues.js';

const records = ownRecords<EventQueueActivities>();
// One try on the consumer's queue, for the sink on ours. The pauses between tries are timers of this run.
const consumption = (consumer: EventConsumer) =>
  ordinary<EventConsumerActivities>({
    ...(consumer === 'sink' ? {} : { taskQueue: taskQueues[consumer] }),
    startToCloseTimeout: '15 s',
    retry: { maximumAttempts: 1 },
  });

export interface EventQueueInput {
  /** The publishing service. */
  source: string;
  consumer: EventConsumer;
  aggregateId: string;
}

/** Delivers the events of one aggregate to one consumer in order (D73), so an outage delays no other consumer. */
export async function deliverEvents(input: EventQueueInput): Promise<void> {
  const { consumer, aggregateId } = input;
  await workThroughQueue(
    {
      step: 'consumeEvent',
      next: () => records('Look for the next event').nextEvent({ consumer, aggregateId }),
      deliver: (delivery) => deliver(consumer, delivery),
      waiting: (delivery) => showWaiting(consumer, delivery),
    },
    input,
  );
}

async function deliver(consumer: EventConsumer, delivery: NextDelivery): Promise<void> {
  const { event } = delivery;
  const attempts = delivery.attempts + 1;
  const firstAttemptAt = delivery.firstAttemptAt ?? Date.now();
  const failure = await consumption(consumer)(`${event.detailType} to ${consumer}`)
    .consumeEvent({ consumer, event })
    .then(() => undefined, failureOf);
  const verdict: DeliveryVerdict = failure
    ? judgeFailedDelivery({
        error: failure.message,
        isRefused: failure.type !== failureTypes.unavailable && failure.type !== failureTypes.ownOutage,
        attempts,
        firstAttemptAt,
        now: Date.now(),
      })
    : { state: 'delivered' };
  if (verdict.state === 'dead') showDead(consumer, delivery, verdict.error);
  await records(`Record attempt ${attempts}: ${failure?.message ?? 'delivered'}`).recordEventDelivery({
    eventId: event.id,
    consumer,
    attempts,
    firstAttemptAt,
    verdict,
    ...(failure?.details[0] === consumerRefused ? { refused: true } : {}),
  });
}

function showWaiting(consumer: EventConsumer, { event, attempts, dueAt, lastError }: NextDelivery): void {
  const next = dueAt === null ? 'now' : new Date(dueAt).toISOString();
  setCurrentDetails(
    [
      `**${event.detailType} has not reached ${consumer} after ${attempts} attempts.** ${lastError ?? ''}`,
      `Next attempt at ${next}. Only later events of the same record wait for it.`,
    ].join('\n\n'),
  );
}

function showDead(consumer: EventConsumer, { event }: NextDelivery, error: string): void {
  setCurrentDetails(
    [
      `**The delivery of ${event.detailType} to ${consumer} is dead.** ${error}`,
      'Later events of the same record wait for it. `POST …/admin/workers/outbox/redrive` redrives it.',
    ].join('\n\n'),
  );
}
