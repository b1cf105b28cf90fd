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

/** What a service with a database depends on. */
export const dependencies = ({ sql, temporal }: ServiceContext) => ({
  postgres: () => sql`select 1`,
  temporal: () => ping(temporal, checkTimeoutMs),
});

/**
 * Liveness touches no dependency; readiness asks each of them, and is over when a stop begins (D2). Workers of the
 * service that this process hosts must poll: they are named only where they alone are why it is not ready.
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
  let underWay: ReturnType<typeof lookAtAll> | undefined;
  const lookAtAll = () =>
    Promise.all(
      probes.map(async ([name, probe]) => [name, (await succeeds(probe)) ? 'ok' : 'failed'] as const),
    );
  /** Anybody may ask: whoever does so meanwhile is told of the look that is under way. */
  const look = () => (underWay ??= lookAtAll().finally(() => (underWay = undefined)));

  app.get(
    '/ready',
    { schema: { tags: ['Operation'], summary: 'Readiness', response: { 200: ready, 503: ready } } },
    async (_request, reply) => {
      const results = await look();
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

async function succeeds(probe: () => PromiseLike<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), checkTimeoutMs)));
  const answered = Promise.resolve(probe()).then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}
