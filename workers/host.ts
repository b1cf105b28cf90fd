import type { WorkerDeploymentVersion } from '@temporalio/common';
import { isDatabaseAway } from '../db/client.js';
import type { Config } from '../platform/config.js';
import { watchStandstills } from '../platform/standstills.js';
import { version } from '../platform/version.js';
import { untilItAnswers } from '../platform/waiting.js';
import type { HostedWorkers } from '../platform/hosted-workers.js';
import type { DatabaseRole } from '../platform/service-names.js';
import type { TemporalConnection } from '../platform/temporal/connection.js';
import { isTemporalAway } from '../starts/runs.js';
import { queueOwners, type TaskQueue } from '../workflows/queues.js';
import { workflowBundle } from './bundle.js';
import type { WorkerContext } from './context.js';
import { createWorker } from './create-worker.js';
import { queues, startBeside } from './hosted-queues.js';
import { keepPolling } from './keep-polling.js';
import { stuckInterceptor } from './note-stuck.js';

/** The services whose settings and database the queues need. */
export const servicesOf = (names: readonly TaskQueue[]): DatabaseRole[] => [
  ...new Set(names.map((name) => queueOwners[name])),
];

/** Registers the expected workers, so that readiness waits for them. */
export function announceWorkers(names: readonly TaskQueue[], health: HostedWorkers): void {
  for (const name of names) health.add(name, queueOwners[name], () => false);
}

interface RunningWorkers {
  /** Rejects when a worker fails for good; the process must then exit. */
  running: Promise<unknown>;
  /**
   * Call it after aborting `signal`. Takes no new tasks, and resolves once running activities have ended or were
   * canceled.
   */
  stop: () => Promise<void>;
}

/**
 * Starts a worker for each queue. Waits for Temporal and Postgres first, since an activity without its database would
 * use up its attempts.
 * @param signal ends the wait, and prevents the restart of a failed worker
 */
export async function startWorkers(
  names: readonly TaskQueue[],
  contextOf: (service: DatabaseRole) => WorkerContext,
  { temporal, health, signal }: { temporal: TemporalConnection; health: HostedWorkers; signal: AbortSignal },
): Promise<RunningWorkers> {
  const bundlePath = workflowBundle();
  // Activities need this to tell their own stalls from a missing response.
  const stopWatching = watchStandstills();
  const hosted = names.map((queue) => {
    const context = contextOf(queueOwners[queue]);
    return { queue, context, activities: queues[queue].activities(context) };
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

  async function startOne({ queue, context, activities }: (typeof hosted)[number]) {
    const { config, logger } = context;
    const { activitySlots, prepare } = queues[queue];
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
            codecKeys: config.codecKeys(queueOwners[queue]),
            activitySlots: activitySlots ?? config.ACTIVITY_SLOTS,
            version: versionOf(config),
            debugMode: !config.WORKFLOW_THREADS,
          });
        },
        { isAway: isServerAway, logger, signal },
      );
    const kept = keepPolling(await make(), make, { queue, logger, signal });
    health.add(queue, queueOwners[queue], kept.polls);
    return { kept, loops: startBeside(context, queue) };
  }
}

/** The deployment version that the workers poll as: the release, unless the build is named. None without a deployment, as in development. */
const versionOf = ({
  TEMPORAL_DEPLOYMENT_NAME: deploymentName,
  TEMPORAL_WORKER_BUILD_ID: buildId = version,
}: Config): WorkerDeploymentVersion | undefined =>
  deploymentName === undefined ? undefined : { deploymentName, buildId };

/** The SDK's error for a worker that cannot register has no code, and its class is private. */
const isServerAway = (error: unknown): boolean =>
  isTemporalAway(error) || (error as { name?: unknown } | undefined)?.name === 'TransportError';

const untilDatabaseAnswers = ({ sql, logger }: WorkerContext, signal: AbortSignal): Promise<unknown> =>
  untilItAnswers('Postgres', async () => sql`select 1`, { isAway: isDatabaseAway, logger, signal });
