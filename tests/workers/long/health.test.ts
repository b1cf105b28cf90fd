import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createLogger } from '../../../platform/logger.js';
import { version } from '../../../platform/version.js';
import { workflowBundle } from '../../../workers/bundle.js';
import { keepPolling } from '../../../workers/keep-polling.js';
import { taskQueues } from '../../../workflows/queues.js';
import { checkRefills } from '../../api/orchestrator/refills.js';
import { eventually, shared } from '../../helpers/client.js';
import { metricsAsked, metricsExposed } from '../../helpers/observability.js';
import { type RefusingTemporal, startRefusingTemporal } from '../../helpers/refusing-temporal.js';
import { type SecondApi, startSecondApi } from '../../helpers/second-api.js';
import { openTemporal, type TemporalView } from '../../helpers/temporal-view.js';

const dev = shared();
let view: TemporalView;
beforeAll(async () => {
  view = await openTemporal(dev);
});
afterAll(() => view.close());

const refusedPolls = 'temporal_long_request_failure_total';

interface Readiness {
  status: string;
  checks: Record<string, string>;
  queues: Record<string, { polls: boolean; waitSeconds: number | null }>;
  lastCompleted: Record<string, string>;
}
const readyAt = async (health: string): Promise<[number, Readiness]> => {
  const answer = await fetch(`${health}/ready`);
  return [answer.status, (await answer.json()) as Readiness];
};
const scrape = async (health = dev.health.workers) => (await fetch(`${health}/metrics`)).text();
const apiReady = async ({ services }: SecondApi) => {
  const answer = await fetch(`${services.bridge}/ready`);
  return [answer.status, await answer.json()];
};

test('a process says of each of its queues whether its worker polls, and how long tasks wait', async () => {
  const [status, body] = await readyAt(dev.health.workers);
  expect([status, body.status, body.checks]).toEqual([
    200,
    'ok',
    { postgres: 'ok', temporal: 'ok', workers: 'ok' },
  ]);
  expect(Object.keys(body.queues).sort()).toEqual(Object.keys(taskQueues).sort());
  for (const [queue, state] of Object.entries(body.queues))
    expect([queue, state]).toEqual([queue, { polls: true, waitSeconds: expect.any(Number) }]);
});

test("a process knows when the last check of silence has ended, and counts no client's own refill check", async () => {
  const [, before] = await readyAt(dev.health.workers);
  expect((await checkRefills(dev, { scheduleIds: [randomUUID()] })).status).toBe(200);
  const askedAt = Date.now();
  await view.client.schedule.getHandle('pharmacy-silence-check').trigger();
  const { lastCompleted } = await eventually(async () => {
    const [, ready] = await readyAt(dev.health.workers);
    return Date.parse(ready.lastCompleted['silence_check'] ?? '') > askedAt && ready;
  });
  expect(lastCompleted['refill_check']).toBe(before.lastCompleted['refill_check']);
});

test('a check that has never completed counts from when its schedule was made', async () => {
  const { info } = await view.client.schedule.getHandle('daily-close').describe();
  const since = Math.floor(info.createdAt.getTime() / 1_000);
  const [, shown] = /^scriptrail_check_last_end_timestamp_seconds\{check="daily_close"\} (\S+)$/m.exec(
    await scrape(),
  )!;
  expect(Number(shown)).toBeGreaterThanOrEqual(since);
});

test('Temporal hears of each worker how it is', async () => {
  const awaited = Object.values(taskQueues);
  const heard = await eventually(async () => {
    const { workersInfo } = await view.client.workflowService.listWorkers({
      namespace: dev.temporal.namespace,
      pageSize: 200,
    });
    const of = new Set(workersInfo.map(({ workerHeartbeat }) => workerHeartbeat?.taskQueue));
    return awaited.every((queue) => of.has(queue)) && of;
  });
  // Other tests have workers of their own here.
  expect([...heard]).toEqual(expect.arrayContaining(awaited));
});

test('every metric that a rule, a dashboard or a runbook asks for is there', async () => {
  // One is counted when it happens, below.
  const asked = metricsAsked().filter((name) => name !== refusedPolls);
  expect(asked.length).toBeGreaterThan(40);
  // The SDK's are there once it has something to count.
  let missing = asked;
  const until = Date.now() + 60_000;
  while (missing.length > 0 && Date.now() < until) {
    const exposed = metricsExposed(await scrape());
    missing = asked.filter((name) => !exposed.has(name));
  }
  expect(missing).toEqual([]);
  const text = await scrape();
  expect(text).toMatch(/^scriptrail_queue_pollers\{queue="router"\} [1-9]/m);
  expect(text).toMatch(/^scriptrail_figures_up\{service="retention",from="postgres"\} 1$/m);
  expect(text).not.toMatch(/^scriptrail_figures_up.* 0$/m);
});

test('the health port answers nothing else', async () => {
  for (const path of ['/', '/metrics/x', '/ready?a=b'])
    expect([path, (await fetch(dev.health.workers + path)).status]).toEqual([path, 404]);
  expect((await fetch(`${dev.health.workers}/ready`, { method: 'POST' })).status).toBe(404);
  expect(await (await fetch(`${dev.health.workers}/health`)).json()).toEqual({ status: 'ok', version });
});

test('a worker that Temporal refuses makes its process not ready within 15 s, until it may poll again', async () => {
  const temporal: RefusingTemporal = await startRefusingTemporal(dev.temporal.address);
  const second = await startSecondApi(dev, ['bridge'], { TEMPORAL_ADDRESS: temporal.address }, 'bridge');
  try {
    const isReady = async () => (await readyAt(second.health))[0] === 200;
    await eventually(isReady);
    expect(await apiReady(second)).toEqual([
      200,
      { status: 'ok', checks: { postgres: 'ok', temporal: 'ok' } },
    ]);

    temporal.refuse(true);
    const refusedAt = Date.now();
    await eventually(async () => !(await isReady()));
    expect(Date.now() - refusedAt).toBeLessThan(15_000);
    expect(await readyAt(second.health)).toMatchObject([
      503,
      {
        status: 'failed',
        checks: { temporal: 'ok', workers: 'failed' },
        queues: { bridge: { polls: false } },
      },
    ]);
    expect(await apiReady(second)).toEqual([
      503,
      { status: 'failed', checks: { postgres: 'ok', temporal: 'ok', workers: 'failed' } },
    ]);

    expect(metricsExposed(await scrape(second.health))).toContain(refusedPolls);

    temporal.refuse(false);
    await eventually(isReady);
  } finally {
    await second.stop();
    await temporal.close();
  }
});

describe('a worker that dies in its process', () => {
  let connection: NativeConnection;
  beforeAll(async () => {
    connection = await NativeConnection.connect({ address: dev.temporal.address });
  });
  afterAll(() => connection.close());
  const make = async () =>
    Worker.create({
      connection,
      taskQueue: `mortal-${randomUUID()}`,
      workflowBundle: { codePath: await workflowBundle() },
      activities: { noop: async () => undefined },
    });
  const logger = createLogger({ level: 'silent' });

  test('is followed by another one, at once, until it is stopped', async () => {
    const stopping = new AbortController();
    const [first, second] = [await make(), await make()];
    const kept = keepPolling(first, async () => second, { queue: 'bridge', logger, signal: stopping.signal });
    expect(kept.polls()).toBe(true);
    first.shutdown();
    expect(kept.polls()).toBe(false);
    await eventually(async () => kept.polls());
    expect(second.getState()).toBe('RUNNING');
    stopping.abort();
    kept.stop();
    await kept.running;
    expect(second.getState()).toBe('STOPPED');
  });

  test('and does so again and again cannot come back, and says so', async () => {
    const first = await make();
    const again = async () => {
      throw new Error('refused');
    };
    const kept = keepPolling(first, again, {
      queue: 'bridge',
      logger,
      signal: new AbortController().signal,
    });
    first.shutdown();
    await expect(kept.running).rejects.toThrow('refused');
    expect(kept.polls()).toBe(false);
  });
});
