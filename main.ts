import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Client } from '@temporalio/client';
import type { Service } from './api/context.js';
import { services } from './api/services.js';
import { createSql, type Sql } from './db/client.js';
import { isUnknownAuthority, messageWithAdvice } from './platform/certificate-advice.js';
import { ConfigError, loadConfig } from './platform/config.js';
import { takeSecretFiles } from './platform/config-files.js';
import { HostedWorkers } from './platform/hosted-workers.js';
import { type Hosted, hostedNames, type ServiceName, serviceNames } from './platform/service-names.js';
import { createLogger } from './platform/logger.js';
import { startTracing } from './platform/tracing.js';
import { version } from './platform/version.js';
import { connectTemporal } from './platform/temporal/connection.js';
import { freeLoopbackPort, installRuntime } from './platform/temporal/runtime.js';
import { type TaskQueue, taskQueues } from './workflows/queues.js';

/**
 * During a stop, open requests wait this long for their workflows. Then they answer that the workflow is still running.
 */
const answersWithinMs = 3_000;

/**
 * Starts the APIs and task queues that the arguments select.
 * `--api all|none|<names>` and `--workers all|none|<queues>` default to all. `--service <names>` selects the APIs of
 * these services and all queues that use their settings.
 * The environment and the files beside it hold the settings.
 *
 * APIs listen at once, even without Temporal or Postgres; workers wait for both. Modules of services that are not
 * hosted are not loaded, which halves the start time.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { api: { type: 'string' }, workers: { type: 'string' }, service: { type: 'string' } },
  });
  const { apis, queues } = await selection(values);
  const [server, workers] = await Promise.all([
    apis.length > 0 ? import('./api/server.js') : undefined,
    queues.length > 0 ? import('./workers/host.js') : undefined,
  ]);
  takeSecretFiles(process.env);
  const names = [...new Set([...apis, ...(workers?.servicesOf(queues) ?? [])])];
  const config = loadConfig(process.env, names);
  const logger = createLogger({ level: config.LOG_LEVEL });
  if (config.NODE_ENV === 'production' && Number.parseInt(process.versions.node) < 22)
    logger.warn('this version of Node gets no fixes any more: production needs 22 or newer');
  const { HEALTH_PORT: healthPort } = config;
  const sdkMetricsPort = healthPort === undefined ? undefined : await freeLoopbackPort();
  installRuntime(logger, sdkMetricsPort);
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_TRACES_SAMPLER_ARG: share } = config;
  const endTracing = collector === undefined ? undefined : await startTracing(collector, share);
  const stopping = new AbortController();
  const temporal = connectTemporal({ logger, signal: stopping.signal });
  temporal.native.catch((error: unknown) => {
    if (!stopping.signal.aborted) fail(error);
  });

  const shared = new Map<Hosted, { sql: Sql; temporal: Client }>();
  const contextOf = (name: Hosted) => {
    const own = shared.get(name) ?? {
      sql: createSql(config.databaseUrl(name), { applicationName: name }),
      temporal: temporal.clientFor(config.codecKeys(name)),
    };
    shared.set(name, own);
    return { config, logger: logger.child({ service: name }), ...own };
  };

  const health = new HostedWorkers();
  workers?.announceWorkers(queues, health);
  const watching =
    healthPort !== undefined && sdkMetricsPort !== undefined
      ? await (
          await import('./health/server.js')
        ).startHealthServer({
          host: config.HOST,
          port: healthPort,
          services: names.map((name) => ({ name, ...contextOf(name) })),
          workers: health,
          sdkMetricsPort,
          signal: stopping.signal,
        })
      : undefined;
  const apiOf = (name: ServiceName) => ({ ...contextOf(name), workersPoll: () => health.poll(name) });
  const answering = server
    ? await Promise.all(apis.map((name) => server.startApi(name, services[name] as Service, apiOf(name))))
    : [];
  const working = workers?.startWorkers(queues, contextOf, { temporal, health, signal: stopping.signal });

  /** Stops in order: readiness (so that gateways stop sending), APIs, workers, connections. */
  async function stop(signal: string): Promise<void> {
    if (stopping.signal.aborted) return;
    stopping.abort();
    logger.info({ signal }, 'stopping');
    for (const api of answering) api.announceStop();
    if (answering.length > 0) await sleep(config.DRAIN_SECONDS * 1_000);
    setTimeout(temporal.hurry, answersWithinMs).unref();
    await Promise.all(answering.map((api) => api.close()));
    await working?.then(
      ({ stop }) => stop(),
      () => undefined,
    );
    await Promise.all([...shared.values()].map(({ sql }) => sql.end({ timeout: 5 })));
    await temporal.close();
    await endTracing?.();
    watching?.close();
    process.exit(0);
  }
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) {
    // A terminal and npm may both send a signal. `stop` ignores the second one.
    process.on(event, () => {
      stop(event).catch((err: unknown) => {
        logger.error({ err }, 'stop failed');
        process.exit(1);
      });
    });
  }

  const hosted = await working?.catch((error: unknown) => {
    // A stop aborts the wait for Temporal and Postgres, which rejects `working`.
    if (!stopping.signal.aborted) throw error;
  });
  if (stopping.signal.aborted) return;
  hosted?.running.catch((err: unknown) => {
    logger.fatal({ err }, 'a worker failed');
    process.exit(1);
  });
  logger.info({ hosted: apis, queues, version }, 'ready');
  process.send?.({ ready: true });
}

const queueNames = Object.keys(taskQueues) as TaskQueue[];

async function selection({ api, workers, service }: { api?: string; workers?: string; service?: string }) {
  if (service === undefined)
    return { apis: select(api ?? 'all', serviceNames), queues: select(workers ?? 'all', queueNames) };
  if (api !== undefined || workers !== undefined)
    throw new ConfigError(['--service: cannot be combined with --api or --workers; give one or the other']);
  const hosted = select(service, hostedNames);
  const { servicesOf } = await import('./workers/host.js');
  return {
    apis: serviceNames.filter((name) => hosted.includes(name)),
    queues: queueNames.filter((queue) => servicesOf([queue]).some((owner) => hosted.includes(owner))),
  };
}

function select<T extends string>(wanted: string, known: readonly T[]): T[] {
  if (wanted === 'all') return [...known];
  if (wanted === 'none') return [];
  const names = wanted.split(',');
  const unknown = names.filter((name) => !known.includes(name as T));
  if (unknown.length > 0) throw new ConfigError([`${unknown.join(', ')}: not one of ${known.join(', ')}`]);
  return names as T[];
}

/** Prints to stderr, since the logger may not exist yet. The supervisor sees the exit code. */
function fail(error: unknown): never {
  const { code, port } = error as { code?: unknown; port?: unknown };
  if (code === 'EADDRINUSE')
    console.error(
      `Port ${String(port)} is in use: stop what uses it, or set PORT_BASE or the service's port to another.`,
    );
  else
    console.error(
      error instanceof ConfigError || isUnknownAuthority(error) ? messageWithAdvice(error) : error,
    );
  process.exit(1);
}

main().catch(fail);
