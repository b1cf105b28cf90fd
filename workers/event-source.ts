import { createEventQueueActivities } from '../activities/events/deliveries.js';
import { createOutboxActivities } from '../activities/outbox.js';
import { listStalledQueues } from '../db/event-deliveries.js';
import { consumersOf } from '../domain/events.js';
import type { ServiceName } from '../platform/config.js';
import { nudgeEvents } from '../starts/events.js';
import type { TaskQueue } from '../workflows/queues.js';
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

  async function nudgeStalled(): Promise<void> {
    for (const { consumer, source, aggregateId } of await listStalledQueues(sql, service, {
      overdueSeconds,
      limit: maxNudges,
    }))
      await nudgeEvents(temporal, service, { consumer, source, aggregateId });
  }

  return {
    ...createEventQueueActivities({ sql, schema: service }),
    ...createOutboxActivities({
      sql,
      schema: service,
      ship: (event) =>
        Promise.all(
          consumersOf(event).map((consumer) =>
            nudgeEvents(temporal, service, {
              consumer,
              source: event.source,
              aggregateId: event.aggregateId,
            }),
          ),
        ),
      sweeps: [nudgeStalled, ...sweeps],
      stopping,
      logger,
    }),
  };
}
