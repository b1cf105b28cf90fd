import { setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { EndpointActivities, NextBatch } from '../../activities/orchestrator/event-endpoints.js';
import { workThroughQueue } from '../events/ordered-queue.js';
import { oneAtATime } from '../handlers.js';
import { testEndpointUpdate } from '../messages.js';
import { ordinary, ownRecords } from '../proxies.js';

const records = ownRecords<EndpointActivities>();
// One request of at most 10 s. Any answer of the receiver is a result, so a failure is a fault of our own.
const deliveries = ordinary<EndpointActivities>({
  startToCloseTimeout: '15 s',
  heartbeatTimeout: '8 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});

/**
 * Delivers the events of one client to its endpoint in order of their sequence, one request at a time (D130). A delivery is
 * fixed in the endpoint's row before it is sent, and sent again until the receiver takes it.
 */
export async function deliverToEndpoint(client: string): Promise<void> {
  const inTurn = oneAtATime();
  setHandler(testEndpointUpdate, () => inTurn(() => deliveries('Test event').deliverTestEvent({ client })));
  await workThroughQueue(
    {
      step: 'deliverBatch',
      next: () => records('Look for the next events').nextBatch({ client }),
      deliver: (batch) => inTurn(() => deliver(client, batch)),
      waiting: showWaiting,
    },
    client,
  );
  setCurrentDetails(
    '**Nothing is to deliver.** A new event, or a change of the endpoint, starts another run.',
  );
}

async function deliver(client: string, batch: NextBatch): Promise<void> {
  const { batchId, events, upTo, series } = batch;
  const attempts = batch.attempts + 1;
  setCurrentDetails(`Sending **${events} events** up to number ${upTo}, attempt ${attempts}.`);
  const attempt = await deliveries(`${events} events up to ${upTo}, attempt ${attempts}`).deliverBatch({
    client,
    batchId,
  });
  if (attempt === null) return;
  await records(`Record attempt ${attempts}: ${attempt.error ?? 'delivered'}`).recordBatchAttempt({
    ...attempt,
    client,
    batchId,
    series,
    attempts,
  });
}

function showWaiting({ events, upTo, attempts, dueAt, lastError }: NextBatch): void {
  const next = dueAt === null ? 'now' : new Date(dueAt).toISOString();
  setCurrentDetails(
    [
      `**${events} events up to number ${upTo} wait after ${attempts} failed attempts.** ${lastError ?? ''}`,
      `Next attempt at ${next}; later events wait for it.`,
      'Once the receiver is up again, the client sets its endpoint again, or `try_again` of the work item sends them at once.',
    ].join('\n\n'),
  );
}
