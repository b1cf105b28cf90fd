import type { Client } from '@temporalio/client';
import { eventsWorkflowId } from '../workflows/ids.js';
import type { EventQueueInput } from '../workflows/events/deliver-events.js';
import type { TaskQueue } from '../workflows/queues.js';
import { signalRecheck } from './runs.js';

/** Tells the run that delivers a record's events to a consumer to look again. @param queue of the service that published */
export const recheckEvents = (temporal: Client, queue: TaskQueue, input: EventQueueInput): Promise<void> =>
  signalRecheck(temporal, {
    workflow: 'deliverEvents',
    id: eventsWorkflowId(input.consumer, input.source, input.aggregateId),
    queue,
    args: [input],
    summary: `Events of ${input.source} for ${input.consumer}`,
    details: 'Delivers the events of one record in their order, each until it is taken.',
  });
