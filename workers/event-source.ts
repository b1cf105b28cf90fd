import { createEventQueueActivities } from '../activities/events/deliveries.js';
import { createOutboxActivities } from '../activities/outbox.js';
import { listStalledQueues } from '../db/event-deliveries.js';
import { type EventConsumer, consumersOf } from '../domain/events.js';
import type { ServiceName } from '../platform/config.js';
import type { deliverEvents } from '../workflows/events/deliver-events.js';
import { eventsWorkflowId } from '../workflows/ids.js';
import { taskQueues, type TaskQueue } from '../workflows/queues.js';
import type { WorkerContext } from './context.js';

/** Nothing that is well is that late: an attempt takes at most 15 s. */
const overdueSeconds = 30;
const maxNudges = 500;

/**
 * What a service that publishes events runs for them: its relay, and the deliveries of its outbox.
 * @param sweeps what else its relay looks for
 */
export function eventSourceActivities(
  context: WorkerContext,
  service: ServiceName & TaskQueue,
  sweeps: readonly (() => Promise<void>)[] = [],
) {
  const { sql, stopping, logger, temporal } = context;

  /** Tells the run that delivers an aggregate's events to a consumer to look again, and starts it where there is none. */
  async function nudge(consumer: EventConsumer, source: string, aggregateId: string): Promise<void> {
    await temporal.workflow.signalWithStart<typeof deliverEvents>('deliverEvents', {
      workflowId: eventsWorkflowId(consumer, source, aggregateId),
      taskQueue: taskQueues[service],
      args: [{ source, consumer, aggregateId }],
      signal: 'nudge',
      signalArgs: [],
      staticSummary: `Events of ${source} for ${consumer}`,
      staticDetails: 'Delivers the events of one record in their order, each until it is taken.',
    });
  }

  async function nudgeStalled(): Promise<void> {
    for (const { consumer, source, aggregateId } of await listStalledQueues(sql, service, {
      overdueSeconds,
      limit: maxNudges,
    }))
      await nudge(consumer, source, aggregateId);
  }

  return {
    ...createEventQueueActivities({ sql, schema: service }),
    ...createOutboxActivities({
      sql,
      schema: service,
      ship: (event) =>
        Promise.all(consumersOf(event).map((consumer) => nudge(consumer, event.source, event.aggregateId))),
      sweeps: [nudgeStalled, ...sweeps],
      stopping,
      logger,
    }),
  };
}
