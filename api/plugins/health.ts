import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ping } from '../../starts/runs.js';
import type { App, Context, Service, ServiceContext } from '../context.js';

const checkTimeoutMs = 2_000;
const check = z.enum(['ok', 'failed']);
const health = z
  .object({ status: z.literal('ok'), service: z.string(), timestamp: z.string() })
  .meta({ id: 'Health' });
const ready = z
  .object({ status: check, checks: z.partialRecord(z.enum(['postgres', 'temporal', 'workers']), check) })
  .meta({ id: 'Readiness' });

export const dependencies = ({ sql, temporal }: ServiceContext) => ({
  postgres: () => sql`select 1`,
  temporal: () => ping(temporal, checkTimeoutMs),
});

/**
 * Liveness checks no dependency. Readiness checks each one and fails during a shutdown (D2). Workers in this process must
 * poll; the response names them only if they are the sole cause.
 */
export function registerHealth<C extends Context>(app: App, service: Service<C>, context: C): void {
  for (const [at, path] of service.healthPaths.entries()) {
    app.get(
      path,
      {
        schema: {
          tags: ['Operation'],
          summary: 'Liveness',
          operationId: at === 0 ? 'getHealth' : 'getHealthToo',
          response: { 200: health },
        },
      },
      () => ({
        status: 'ok' as const,
        service: service.healthName,
        timestamp: new Date().toISOString(),
      }),
    );
  }

  const probes = Object.entries(service.probes?.(context) ?? {});
  let running: ReturnType<typeof checkAll> | undefined;
  const checkAll = () =>
    Promise.all(
      probes.map(async ([name, probe]) => [name, (await succeeds(probe)) ? 'ok' : 'failed'] as const),
    );
  /** Requests are unauthenticated, so concurrent ones share a check. */
  const check = () => (running ??= checkAll().finally(() => (running = undefined)));

  app.get(
    '/ready',
    { schema: { tags: ['Operation'], summary: 'Readiness', response: { 200: ready, 503: ready } } },
    async (_request, reply) => {
      const results = await check();
      const reached = results.every(([, result]) => result === 'ok');
      const polls = (await context.workersPoll?.()) !== false;
      const status = reached && polls && !app.stopping.isAnnounced ? 'ok' : 'failed';
      const checks = {
        ...Object.fromEntries(results),
        ...(reached && !polls ? { workers: 'failed' as const } : {}),
      };
      return reply.code(status === 'ok' ? 200 : 503).send({ status, checks });
    },
  );
}

const succeeds = (probe: () => PromiseLike<unknown>): Promise<boolean> =>
  Promise.race([
    Promise.resolve(probe()).then(
      () => true,
      () => false,
    ),
    sleep(checkTimeoutMs, false, { ref: false }),
  ]);
