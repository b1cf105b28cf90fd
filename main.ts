import { parseArgs } from 'node:util';
import type { Client } from '@temporalio/client';
import type { Worker } from '@temporalio/worker';
import type { Service } from './api/context.js';
import { type RunningApi, startApi } from './api/server.js';
import { services } from './api/services.js';
import { createSql, type Sql } from './db/client.js';
import { ConfigError, loadConfig } from './platform/config.js';
import { type Hosted, type ServiceName, serviceNames } from './platform/service-names.js';
import { createLogger } from './platform/logger.js';
import { connectTemporal } from './platform/temporal/connection.js';
import { installRuntime } from './platform/temporal/runtime.js';
import type { Loop } from './workers/beside.js';
import { workflowBundle } from './workers/bundle.js';
import { createWorker } from './workers/create-worker.js';
import { queues, startBeside } from './workers/hosted-queues.js';
import type { TaskQueue } from './workflows/queues.js';

/**
 * The one process of the product: hosts the APIs and the task queues it is told to, all of them in development, one
 * each in production. `--api all|none|<names>` `--workers all|none|<queues>`; settings come from the environment.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { api: { type: 'string', default: 'all' }, workers: { type: 'string', default: 'all' } },
  });
  const apis = select(values.api, serviceNames);
  const hostedQueues = select(values.workers, Object.keys(queues) as TaskQueue[]);
  const config = loadConfig(process.env, [
    ...new Set([...apis, ...hostedQueues.map((name) => queues[name].service)]),
  ]);
  const logger = createLogger({ level: config.LOG_LEVEL });
  installRuntime(logger);
  const temporal = await connectTemporal();

  const shared = new Map<Hosted, { sql: Sql; temporal: Client }>();
  const contextOf = (name: Hosted) => {
    const own = shared.get(name) ?? {
      sql: createSql(config.databaseUrl(name), { applicationName: name }),
      temporal: temporal.clientFor(config.codecKeys(name)),
    };
    shared.set(name, own);
    return { config, logger: logger.child({ service: name }), ...own };
  };

  const workers = await startWorkers(hostedQueues);
  const apisRunning = await Promise.all(apis.map(startOne));
  logger.info({ hosted: apis, queues: hostedQueues }, 'ready');
  process.send?.({ ready: true });

  /** First no new requests and the answers under way, then the work behind them, then what that work stands on. */
  let stopping = false;
  async function stop(signal: string): Promise<void> {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    await Promise.all(apisRunning.map((api: RunningApi) => api.close()));
    for (const { worker } of workers) worker.shutdown();
    await Promise.all(
      workers.map(({ running, loops }) => Promise.all([running, ...loops.map((loop) => loop.stop())])),
    );
    await Promise.all([...shared.values()].map(({ sql }) => sql.end({ timeout: 5 })));
    await temporal.close();
    process.exit(0);
  }
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) {
    process.once(event, () => {
      stop(event).catch((err: unknown) => {
        logger.error({ err }, 'stop failed');
        process.exit(1);
      });
    });
  }

  function startOne(name: ServiceName): Promise<RunningApi> {
    const service: Service = services[name];
    return startApi(name, service, contextOf(name));
  }

  async function startWorkers(names: TaskQueue[]): Promise<HostedWorker[]> {
    if (names.length === 0) return [];
    const bundlePath = await workflowBundle();
    const created = await Promise.all(
      names.map(async (queue) => {
        const definition = queues[queue];
        const context = contextOf(definition.service);
        const worker = await createWorker({
          queue,
          activities: definition.activities(context),
          ...(definition.around ? { around: definition.around(context) } : {}),
          temporal,
          bundlePath,
          codecKeys: config.codecKeys(definition.service),
          activitySlots: definition.activitySlots ?? config.ACTIVITY_SLOTS,
        });
        await definition.prepare?.(context);
        return { worker, context, definition };
      }),
    );
    return created.map(({ worker, context, definition }) => {
      const running = worker.run();
      running.catch((err: unknown) => {
        logger.fatal({ err }, 'worker failed');
        process.exit(1);
      });
      return { worker, running, loops: startBeside(context, definition) };
    });
  }
}

interface HostedWorker {
  worker: Worker;
  running: Promise<void>;
  loops: Loop[];
}

function select<T extends string>(asked: string, known: readonly T[]): T[] {
  if (asked === 'all') return [...known];
  if (asked === 'none') return [];
  const names = asked.split(',');
  const unknown = names.filter((name) => !known.includes(name as T));
  if (unknown.length > 0) throw new ConfigError([`${unknown.join(', ')}: not one of ${known.join(', ')}`]);
  return names as T[];
}

main().catch((error: unknown) => {
  // No logger yet, or none that could say it: one line, and the supervisor or the platform sees the exit code.
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
});
