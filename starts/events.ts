import type { Client } from '@temporalio/client';
import { eventsWorkflowId } from '../workflows/ids.js';
import type { EventQueueInput } from '../workflows/events/deliver-events.js';
import type { TaskQueue } from '../workflows/queues.js';
import { signalRecheck } from './runs.js';

/** Signals the run that delivers an aggregate's events to a consumer. @param queue of the publishing service */
export const recheckEvents = (temporal: Client, queue: TaskQueue, input: EventQueueInput) =>
  signalRecheck(temporal, {
    workflow: 'deliverEvents',
    id: eventsWorkflowId(input.consumer, input.source, input.aggregateId),
    queue,
    args: [input],
    summary: `Events of ${input.source} for ${input.consumer}`,
    details: 'Delivers the events of one aggregate in order and retries each until it is accepted.',
  });
