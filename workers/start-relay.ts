import type { ServiceName } from '../platform/config.js';
import { relayWorkflowId } from '../workflows/ids.js';
import { taskQueues, type TaskQueue } from '../workflows/queues.js';
import type { relayOutbox } from '../workflows/events/relay-outbox.js';
import type { WorkerContext } from './context.js';

/** Makes sure that the relay of a service's outbox runs, once for all its workers. */
export const startRelay =
  (service: ServiceName, queue: TaskQueue) =>
  async ({ temporal }: WorkerContext): Promise<void> => {
    await temporal.workflow.start<typeof relayOutbox>('relayOutbox', {
      workflowId: relayWorkflowId(service),
      taskQueue: taskQueues[queue],
      workflowIdConflictPolicy: 'USE_EXISTING',
      args: [service],
      staticSummary: `Relay the outbox of ${service}`,
    });
  };
