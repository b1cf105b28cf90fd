import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { registry } from '../platform/metrics.js';
import type { HostedWorkers } from '../platform/hosted-workers.js';
import { version } from '../platform/version.js';
import { ping } from '../starts/runs.js';
import { type HostedService, succeeds, watch, type Watched, within } from './figures.js';
import { watchRejectedPolls } from './rejected-polls.js';

/** Most probes wait 5 s; this answers in half of that. */
const checkWithinMs = 2_000;
const maxConnections = 100;

/**
 * Serves `/health`, `/ready` and `/metrics` of a process to platforms, gateways and scrapers. The port requires no
 * credentials, so keep it off the public network (docs/production.md).
 *
 * `/ready` is 200 or 503 `{status, checks: {postgres, temporal, workers}, queues: {<queue>: {polls, waitSeconds}},
 * lastCompleted: {<check>: time}}`. `waitSeconds` is the age of the oldest task of a queue, null where Temporal does
 * not say.
 * @param sdkMetricsPort the loopback port where the SDK serves its own metrics
 * @throws if the port is taken
 */
export async function startHealthServer(options: {
  host: string;
  port: number;
  services: readonly HostedService[];
  workers: HostedWorkers;
  sdkMetricsPort: number;
  /** Aborted when the process begins to stop; `/ready` is 503 from then on. */
  signal: AbortSignal;
}): Promise<{ close: () => void }> {
  const { services, workers, sdkMetricsPort, signal } = options;
  const look = watch(services, workers);
  workers.watchRejected(watchRejectedPolls(() => sdkMetrics(sdkMetricsPort)));
  let checking: Promise<Checks> | undefined;
  const check = () => (checking ??= checkAll(services).finally(() => (checking = undefined)));

  const answers: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/health': async (response) => json(response, 200, { status: 'ok', version }),
    '/ready': async (response) => {
      const [reached, watched] = await Promise.all([check(), within(checkWithinMs, look())]);
      const states = await workers.states();
      const checks: Record<string, Check> = {
        ...reached,
        ...(states.size === 0 ? {} : { workers: [...states.values()].every(Boolean) ? 'ok' : 'failed' }),
      };
      const isReady = !signal.aborted && Object.values(checks).every((result) => result === 'ok');
      json(response, isReady ? 200 : 503, {
        status: isReady ? 'ok' : 'failed',
        checks,
        queues: queuesOf(states, watched),
        lastCompleted: Object.fromEntries(watched?.checks ?? []),
      });
    },
    '/metrics': async (response) => {
      await look();
      const [own, ofSdk] = await Promise.all([registry.metrics(), sdkMetrics(sdkMetricsPort)]);
      response.writeHead(200, { ...plainHeaders, 'content-type': registry.contentType });
      response.end(`${own}\n${ofSdk}`);
    },
  };

  const routes = new Map(Object.entries(answers));
  const server = createServer((request, response) => {
    const route = request.method === 'GET' ? routes.get(request.url ?? '') : undefined;
    if (!route) json(response, 404, { error: 'Not found' });
    else route(response).catch(() => json(response, 500, { error: 'Internal server error' }));
  });
  server.maxConnections = maxConnections;
  server.listen(options.port, options.host);
  await once(server, 'listening');
  // This server must not keep the process alive.
  server.unref();
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Check = 'ok' | 'failed';
type Checks = Record<'postgres' | 'temporal', Check>;

async function checkAll(services: readonly HostedService[]): Promise<Checks> {
  const first = services[0]?.temporal;
  const [postgres, temporal] = await Promise.all([
    succeeds(checkWithinMs, Promise.all(services.map(({ sql }) => sql`select 1`))),
    !first || succeeds(checkWithinMs, ping(first, checkWithinMs)),
  ]);
  return { postgres: postgres ? 'ok' : 'failed', temporal: temporal ? 'ok' : 'failed' };
}

const queuesOf = (states: Map<string, boolean>, watched: Watched | undefined) =>
  Object.fromEntries(
    [...states].map(([queue, polls]) => {
      const seen = [...(watched?.queues ?? [])].find(([name]) => name === queue)?.[1];
      return [queue, { polls, waitSeconds: seen?.ageSeconds ?? null }];
    }),
  );

/** The SDK serves its metrics on its own port; `/metrics` appends them, so that scrapers need one address. */
async function sdkMetrics(port: number): Promise<string> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, {
      signal: AbortSignal.timeout(checkWithinMs),
    });
    return answer.ok ? await answer.text() : '';
  } catch {
    return '';
  }
}

const plainHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

function json(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) return void response.end();
  response.writeHead(status, { ...plainHeaders, 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}
