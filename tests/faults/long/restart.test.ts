import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DevJson, readDevJson } from '../../../dev/dev-json.js';
import { projectRoot } from '../../../dev/project-root.js';
import { freePorts, type Ports } from '../../../dev/start/ports.js';
import { eventually, patientIn } from '../../helpers/client.js';
import { emptyState } from '../../helpers/system.js';
import {
  approve,
  approveAsync,
  chargesOf,
  endedRun,
  ordersOf,
  semaglutideFor,
  shipmentsOf,
} from '../../api/orchestrator/approvals.js';
import { faultsMet, setFault } from '../faults.js';

let stateDir: string;
let ports: Ports;
let start: ChildProcess | undefined;
beforeAll(async () => {
  stateDir = await emptyState();
  ports = await freePorts('127.0.0.1');
});
afterAll(async () => {
  if (start?.exitCode === null) {
    start.kill('SIGTERM');
    await once(start, 'exit');
  }
  await rm(stateDir, { recursive: true, force: true });
});

/** `npm start` in a process of its own, so that it can be killed like any other. */
async function npmStart(): Promise<DevJson> {
  const env = {
    ...process.env,
    PORT_BASE: String(ports.base),
    POSTGRES_PORT: String(ports.postgres),
    TEMPORAL_PORT: String(ports.temporal),
    TEMPORAL_UI_PORT: String(ports.temporalUi),
  };
  const args = ['--import', 'tsx', 'dev/start/main.ts', '--state', stateDir];
  start = spawn(process.execPath, args, { cwd: projectRoot, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  start.stderr!.on('data', (chunk: Buffer) => (complaint = chunk.toString()));
  for await (const line of createInterface({ input: start.stdout! }))
    if (line === 'Scriptrail is ready') return readDevJson(stateDir);
  throw new Error(`npm start ended: ${complaint}`);
}

test('everything killed in mid-run and started again: the runs finish, each with one order and one charge', async () => {
  const before = await npmStart();
  const ordering = semaglutideFor(patientIn(before, 'TX'));
  const charging = semaglutideFor(patientIn(before, 'NY'));
  await setFault(before, { target: 'pharmacy_b', operation: 'order', kind: 'hang', times: 1 });
  await setFault(before, {
    target: 'stripe',
    operation: 'paymentIntents.create',
    kind: 'delay',
    delayMs: 1_000,
    times: 1,
  });
  for (const approval of [ordering, charging])
    expect((await approveAsync(before, approval)).status).toBe(202);
  await faultsMet(before);
  const pids = Object.values(before.pids).filter((pid) => pid !== undefined);
  process.kill(before.pids.workers, 'SIGSTOP');
  await eventually(async () => (await chargesOf(before, charging.taskId)).length > 0);
  for (const pid of [start!.pid!, ...new Set(pids)]) process.kill(pid, 'SIGKILL');
  await once(start!, 'exit');

  const after = await npmStart();
  for (const { taskId } of [ordering, charging]) {
    const run = await eventually(() => endedRun(after, taskId));
    expect(run).toMatchObject({ status: 'completed', warnings: [] });
    expect(await ordersOf(after, taskId)).toHaveLength(1);
    expect(await chargesOf(after, taskId)).toHaveLength(1);
  }
  expect(await shipmentsOf(after, charging.taskId)).toHaveLength(1);
  const repeated = await approve(after, charging);
  expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
});
