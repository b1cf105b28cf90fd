import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DevJson } from '../../../dev/dev-json.js';
import { type ServiceName, serviceNames } from '../../../platform/service-names.js';
import { approve, chargesOf, endedRun, ordersOf, semaglutideFor } from '../../api/orchestrator/approvals.js';
import { eventually, patientIn } from '../../helpers/client.js';
import { retryingProxy, type RetryingProxy } from '../../helpers/retrying-proxy.js';
import { startTestSystem, type TestSystem } from '../../helpers/system.js';

const perSecond = 5;
/** A minute of it: where restarts take longer, the machine is busy with something else. */
const most = 60 * perSecond;
/** Load beyond the machine's capacity waits for a slot and does not slow down running work. */
const slots = '5';

let running: TestSystem;
let dev: DevJson;
/** As clients reach it, and the services each other: through proxies. */
let front: DevJson;
const proxies = new Map<ServiceName, RetryingProxy>();

beforeAll(async () => {
  for (const name of serviceNames) proxies.set(name, await retryingProxy(() => dev.services[name]));
  const urls = [...proxies].map(([name, { url }]) => [`${name.toUpperCase()}_URL`, url] as const);
  running = await startTestSystem({
    split: true,
    env: { ...Object.fromEntries(urls), DRAIN_SECONDS: '1', ACTIVITY_SLOTS: slots },
  });
  dev = running.system.dev;
  front = {
    ...dev,
    services: Object.fromEntries([...proxies].map(([name, { url }]) => [name, url])) as DevJson['services'],
  };
});
afterAll(async () => {
  for (const proxy of proxies.values()) proxy.close();
  await running.stop();
});

test('every process restarted in turn under 5 approvals a second: none fails, warns or is answered 5xx, none is done twice', async () => {
  const states = ['NY', 'WA', 'TX'];
  const sent: { taskId: string; answer: Promise<{ status: number }> }[] = [];
  const over = new AbortController();
  const startedMs = Date.now();
  const traffic = (async () => {
    // By the clock: however long the answers take, and however late this loop is.
    while (!over.signal.aborted) {
      const due = ((Date.now() - startedMs) * perSecond) / 1_000;
      while (sent.length < Math.min(due, most)) {
        const approval = semaglutideFor(patientIn(dev, states[sent.length % states.length]!));
        sent.push({ taskId: approval.taskId, answer: approve(front, approval) });
      }
      await pause(1_000 / perSecond / 2);
    }
  })();
  await eventually(async () => sent.length >= perSecond);
  for (const name of ['api', 'workers'] as const) {
    const stopped = dev.pids[name];
    process.kill(stopped, 'SIGTERM');
    await eventually(async () => dev.pids[name] !== stopped);
    // It has taken up its work when an approval that came later is done.
    expect([200, 202]).toContain((await approve(front, semaglutideFor(patientIn(dev, 'WA')))).status);
  }
  over.abort();
  await traffic;

  const answers = await Promise.all(sent.map(async ({ answer }) => (await answer).status));
  expect(answers.filter((status) => status !== 200 && status !== 202)).toEqual([]);
  for (const { taskId } of sent) {
    const run = await eventually(() => endedRun(front, taskId));
    expect([taskId, run.status, run.warnings]).toEqual([taskId, 'completed', []]);
  }
  for (const { taskId } of sent)
    expect([(await ordersOf(dev, taskId)).length, (await chargesOf(dev, taskId)).length]).toEqual([1, 1]);
}, 600_000);
