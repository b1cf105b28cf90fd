import type { WorkerDeploymentVersion } from '@temporalio/common';
import { isDatabaseAway } from '../db/client.js';
import type { Config } from '../platform/config.js';
import { watchStandstills } from '../platform/standstills.js';
import { untilItAnswers } from '../platform/waiting.js';
import type { HostedWorkers } from '../platform/hosted-workers.js';
import type { DatabaseRole } from '../platform/service-names.js';
import type { TemporalConnection } from '../platform/temporal/connection.js';
import { isTemporalAway } from '../starts/runs.js';
import type { TaskQueue } from '../workflows/queues.js';
import { workflowBundle } from './bundle.js';
import type { WorkerContext } from './context.js';
import { createWorker } from './create-worker.js';
import { queues, startBeside } from './hosted-queues.js';
import { keepPolling } from './keep-polling.js';
import { stuckInterceptor } from './note-stuck.js';

/** Whose settings and database the queues need. */
export const servicesOf = (names: readonly TaskQueue[]): DatabaseRole[] => [
  ...new Set(names.map((name) => queues[name].service)),
];

/** Has the readiness of the process know which workers it awaits. */
export function announceWorkers(names: readonly TaskQueue[], health: HostedWorkers): void {
  for (const name of names) health.add(name, queues[name].service, () => false);
}

interface RunningWorkers {
  /** Rejects when one of them has died and cannot come back, after which the process is of no use. */
  running: Promise<unknown>;
  /** To be called once `signal` has been aborted: takes nothing new, and resolves once what is under way has ended, or was given back after its grace. */
  stop: () => Promise<void>;
}

/**
 * Polls the queues, each as soon as its worker is made. Temporal and Postgres are waited for first: an activity that
 * ran without its database would use up what it may be tried.
 * @param health is told of each worker as soon as it is made
 * @param signal ends the wait, and that a worker which dies is started again
 */
export async function startWorkers(
  names: readonly TaskQueue[],
  contextOf: (service: DatabaseRole) => WorkerContext,
  { temporal, health, signal }: { temporal: TemporalConnection; health: HostedWorkers; signal: AbortSignal },
): Promise<RunningWorkers> {
  const bundlePath = workflowBundle();
  // Activities tell by it whether a missing answer is our own fault.
  const stopWatching = watchStandstills();
  const hosted = names.map((queue) => {
    const definition = queues[queue];
    const context = contextOf(definition.service);
    return { queue, definition, context, activities: definition.activities(context) };
  });
  const [connection] = await Promise.all([
    temporal.native,
    ...servicesOf(names).map((service) => untilDatabaseAnswers(contextOf(service), signal)),
  ]);
  const workers = await Promise.all(hosted.map(startOne));
  return {
    running: Promise.all(workers.map(({ kept }) => kept.running)),
    stop: async () => {
      for (const { kept } of workers) kept.stop();
      await Promise.all(
        workers.map(({ kept, loops }) => Promise.all([kept.running, ...loops.map((loop) => loop.stop())])),
      );
      stopWatching();
    },
  };

  async function startOne({ queue, definition, context, activities }: (typeof hosted)[number]) {
    const { config, logger } = context;
    const { activitySlots, prepare } = definition;
    const make = () =>
      untilItAnswers(
        'Temporal',
        async () => {
          await prepare?.(context);
          return createWorker({
            queue,
            activities,
            stuck: stuckInterceptor(context.temporal, logger),
            connection,
            namespace: temporal.namespace,
            bundlePath: await bundlePath,
            codecKeys: config.codecKeys(definition.service),
            activitySlots: activitySlots ?? config.ACTIVITY_SLOTS,
            version: versionOf(config),
            // Development hosts all queues in one process: a thread for each would take 30 MiB (ADR 19).
            debugMode: config.NODE_ENV !== 'production',
          });
        },
        { isAway: isServerAway, logger, signal },
      );
    const kept = keepPolling(await make(), make, { queue, logger, signal });
    health.add(queue, definition.service, kept.polls);
    return { kept, loops: startBeside(context, definition) };
  }
}

/** As which version of the system's code the workers poll; none without a deployment, as in development. */
const versionOf = ({
  TEMPORAL_DEPLOYMENT_NAME: deploymentName,
  TEMPORAL_WORKER_BUILD_ID: buildId,
}: Config): WorkerDeploymentVersion | undefined =>
  deploymentName === undefined || buildId === undefined ? undefined : { deploymentName, buildId };

/** The SDK's own error of a worker that cannot be registered has no code, and its class is for the SDK only. */
const isServerAway = (error: unknown): boolean =>
  isTemporalAway(error) || (error as { name?: unknown } | undefined)?.name === 'TransportError';

const untilDatabaseAnswers = ({ sql, logger }: WorkerContext, signal: AbortSignal): Promise<unknown> =>
  untilItAnswers('Postgres', async () => sql`select 1`, { isAway: isDatabaseAway, logger, signal });
