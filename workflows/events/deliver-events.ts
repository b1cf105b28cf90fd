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
// One try; the pauses between tries are timers of this run, which an operator sees. On the consumer's own queue, and
// for the sink on ours.
const consumption = (consumer: EventConsumer) =>
  ordinary<EventConsumerActivities>({
    ...(consumer === 'sink' ? {} : { taskQueue: taskQueues[consumer] }),
    startToCloseTimeout: '15 s',
    retry: { maximumAttempts: 1 },
  });

export interface EventQueueInput {
  /** The service that published. */
  source: string;
  consumer: EventConsumer;
  aggregateId: string;
}

/**
 * Delivers the events of one aggregate to one consumer in their order, each until it is taken (D73). Every consumer
 * and aggregate has a run of its own, so one that is away holds up nobody else. Ends when none is left.
 */
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
  const startedAt = Date.now();
  const firstAttemptAt = delivery.firstAttemptAt ?? startedAt;
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
      `Next attempt at ${next}; later events of the same record wait behind it, no others do.`,
    ].join('\n\n'),
  );
}

function showDead(consumer: EventConsumer, { event }: NextDelivery, error: string): void {
  setCurrentDetails(
    [
      `**${event.detailType} was given up for ${consumer}.** ${error}`,
      'Later events of the same record wait behind it. `POST …/admin/workers/outbox/redrive` drives it again.',
    ].join('\n\n'),
  );
}
