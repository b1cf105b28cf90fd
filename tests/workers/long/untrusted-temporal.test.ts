import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection, WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { silent } from '../../../dev/progress.js';
import { resolveTemporalCli } from '../../../dev/tools/temporal-cli.js';
import type { Key } from '../../../platform/crypto/key-ring.js';
import { encryptedDataConverter } from '../../../platform/temporal/codec.js';
import { workflowBundle } from '../../../workers/bundle.js';
import { ensureDailySchedule } from '../../../starts/schedules.js';
import { taskQueues } from '../../../workflows/queues.js';
import { eventually, shared } from '../../helpers/client.js';
import { openTemporal, type TemporalView } from '../../helpers/temporal-view.js';

const { address, namespace } = shared().temporal;
let cli: string;
let view: TemporalView;
let native: NativeConnection;
beforeAll(async () => {
  Runtime.install({
    // Some tasks here are meant to fail.
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: 'OFF' } },
  });
  cli = await resolveTemporalCli(silent);
  view = await openTemporal(shared());
  native = await NativeConnection.connect({ address });
});
afterAll(() => Promise.all([view.close(), native.close()]));

/** The Temporal command line as anybody has it who reaches the server. */
const stranger = (...args: string[]) =>
  promisify(execFile)(cli, ['workflow', ...args, '--address', address, '--namespace', namespace]);

const failureOf = async (workflowId: string): Promise<unknown> => {
  const error: unknown = await view.client.workflow
    .getHandle(workflowId)
    .result()
    .catch((error: unknown) => error);
  return error instanceof WorkflowFailedError ? error.cause : error;
};

/** The content of a run, event by event. */
async function eventsOf(workflowId: string) {
  const { events } = await view.client.workflow.getHandle(workflowId).fetchHistory();
  return events ?? [];
}

describe('a plain payload of the Temporal command line (D90)', () => {
  test('starts nothing on any queue: the run fails at once, and says why', async () => {
    const input = JSON.stringify({ taskId: 'forged', emrPatientId: 'p1', priceCents: 11_175 });
    const runs = Object.values(taskQueues).map((taskQueue) => ({
      taskQueue,
      workflowId: `forged:${taskQueue}:${randomUUID()}`,
    }));
    for (const { taskQueue, workflowId } of runs)
      await stranger(
        ...['start', '--type', 'retryCharge', '--task-queue', taskQueue],
        ...['--workflow-id', workflowId, '--input', input],
      );
    for (const { workflowId } of runs) {
      const failure = await failureOf(workflowId);
      expect(failure).toBeInstanceOf(ApplicationFailure);
      expect(failure).toMatchObject({
        type: 'NotEncrypted',
        message: 'This start was rejected: its payload is not encrypted.',
      });
      // Started, one workflow task in three events, failed: no activity, and nothing that goes on.
      expect(await eventsOf(workflowId)).toHaveLength(5);
    }
  });

  test('as a signal is dropped, and the run says so and goes on', async () => {
    const workflowId = `shipment:${randomUUID()}`;
    await stranger(
      'start',
      '--type',
      'followShipment',
      '--task-queue',
      'orchestrator',
      '--workflow-id',
      workflowId,
    );
    const update = JSON.stringify({ submissionId: randomUUID(), state: 'delivered' });
    await stranger('signal', '--workflow-id', workflowId, '--name', 'pharmacyUpdate', '--input', update);
    const details = await eventually(async () => (await view.detailsOf(workflowId)) || false);
    expect(details).toBe('**A signal pharmacyUpdate was rejected: its payload is not encrypted.**');
    expect(await view.statusOf(workflowId)).toBe('RUNNING');
    await view.client.workflow.getHandle(workflowId).terminate();
    expect(
      (await eventsOf(workflowId)).filter((event) => event.activityTaskScheduledEventAttributes),
    ).toEqual([]);
  });

  test('as an update fails, and its answer says why', async () => {
    const workflowId = `emr-patient:${randomUUID()}`;
    const updateId = randomUUID();
    await stranger(
      ...[
        'start',
        '--type',
        'findOrCreateEmrPatient',
        '--task-queue',
        'intake-emr',
        '--workflow-id',
        workflowId,
      ],
    );
    const asked = stranger(
      ...['update', 'execute', '--workflow-id', workflowId, '--update-id', updateId],
      ...['--name', 'findOrCreate', '--input', JSON.stringify({ submissionId: randomUUID() })],
    );
    await expect(asked).rejects.toThrow(/failed/);
    const handle = view.client.workflow.getHandle(workflowId);
    await expect(handle.getUpdateHandle(updateId).result()).rejects.toMatchObject({
      cause: {
        type: 'NotEncrypted',
        message: 'The update findOrCreate was rejected: its payload is not encrypted.',
      },
    });
    await handle.terminate();
    expect(
      (await eventsOf(workflowId)).filter((event) => event.activityTaskScheduledEventAttributes),
    ).toEqual([]);
  });
});

function collectKeyIds(part: unknown, found: Set<string>): void {
  if (typeof part !== 'object' || part === null || part instanceof Uint8Array) return;
  for (const [name, value] of Object.entries(part))
    if (name === 'encryption-key-id') found.add(Buffer.from(value as Uint8Array).toString());
    else collectKeyIds(value, found);
}

/** One service's client and worker with these keys, on a queue of the test's own. */
const clientWith = (own: Key[]) =>
  new Client({ connection: native, namespace, dataConverter: encryptedDataConverter({ own }, 'client') });
const followWith = async (own: Key[], taskQueue: string, workflowId: string, heard: unknown[]) => {
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue,
    workflowBundle: { codePath: await workflowBundle() },
    dataConverter: encryptedDataConverter({ own }, 'worker'),
    activities: {
      // As for an update that is overtaken: nothing follows from it.
      recordShipmentUpdate: async (update: unknown) => {
        heard.push(update);
        return { shipment: { state: 'delivered' } };
      },
    },
  });
  await worker.runUntil(() => clientWith(own).workflow.getHandle(workflowId).result());
};
const update = { submissionId: 'one', state: 'shipped' };
const begin = (own: Key[], taskQueue: string, workflowId: string) =>
  clientWith(own).workflow.signalWithStart('followShipment', {
    taskQueue,
    workflowId,
    args: [],
    staticSummary: 'a run',
    signal: 'pharmacyUpdate',
    signalArgs: [update],
  });

test('after a rotation, runs begun before are read and carried on, and all that is written has the new key (D90)', async () => {
  const taskQueue = `rotation-${randomUUID()}`;
  const [old, young] = [
    { id: 'old', key: randomBytes(32) },
    { id: 'young', key: randomBytes(32) },
  ];
  const [before, after] = [`shipment:${randomUUID()}`, `shipment:${randomUUID()}`];
  const heard: unknown[] = [];
  await begin([old], taskQueue, before);
  await begin([young, old], taskQueue, after);
  await followWith([young, old], taskQueue, before, heard);
  await followWith([young, old], taskQueue, after, heard);
  expect(heard).toEqual([update, update]);

  const keysOf = async (workflowId: string) => {
    const found = new Set<string>();
    collectKeyIds(await eventsOf(workflowId), found);
    return [...found].sort();
  };
  expect(await keysOf(before)).toEqual(['old', 'young']);
  expect(await keysOf(after)).toEqual(['young']);

  // When the last run of before is past its retention, the old key is dropped.
  const summaryOf = async (own: Key[], workflowId: string) =>
    (await clientWith(own).workflow.getHandle(workflowId).describe()).staticSummary();
  expect(await summaryOf([young, old], before)).toBe('a run');
  expect(await summaryOf([young], after)).toBe('a run');
  await expect(summaryOf([young], before)).rejects.toThrow('No key old in the ring');
});

test('what was encrypted for one run starts no other: it is taken out of its history in vain (D90)', async () => {
  const keys = [{ id: 'one', key: randomBytes(32) }];
  const taskQueue = `replayed-${randomUUID()}`;
  const [own, other] = [`shipment:${randomUUID()}`, `shipment:${randomUUID()}`];
  await begin(keys, taskQueue, own);
  const signalled = (await eventsOf(own)).find((event) => event.workflowExecutionSignaledEventAttributes);
  const connection = await Connection.connect({ address });
  await connection.workflowService.signalWithStartWorkflowExecution({
    namespace,
    workflowId: other,
    requestId: randomUUID(),
    workflowType: { name: 'followShipment' },
    taskQueue: { name: taskQueue },
    signalName: 'pharmacyUpdate',
    signalInput: signalled!.workflowExecutionSignaledEventAttributes!.input!,
  });
  const heard: unknown[] = [];
  await followWith(keys, taskQueue, own, heard);
  // Its task fails, and is tried again ever more slowly.
  const isRefused = async () =>
    (await eventsOf(other)).some((event) => event.workflowTaskFailedEventAttributes);
  await Promise.all([
    followWith(keys, taskQueue, other, heard).catch(() => undefined),
    eventually(isRefused).then(() => view.client.workflow.getHandle(other).terminate()),
  ]);
  await connection.close();
  expect(heard).toEqual([update]);
});

test('runs that a schedule starts are read by worker and client, though the schedule did not know their ids (D90)', async () => {
  const own = [{ id: 'one', key: randomBytes(32) }];
  const [scheduleId, taskQueue] = [`daily-${randomUUID()}`, `scheduled-${randomUUID()}`];
  const client = clientWith(own);
  const daily = { scheduleId, workflowId: scheduleId, taskQueue, workflow: 'refillCheck' } as const;
  await ensureDailySchedule(client, { ...daily, hour: 6, timeZone: 'UTC', summary: 'a summary' });
  const schedule = client.schedule.getHandle(scheduleId);
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue,
    workflowBundle: { codePath: await workflowBundle() },
    dataConverter: encryptedDataConverter({ own }, 'worker'),
    activities: { listDueSchedules: async () => 0, announceRefills: async () => false },
  });
  const nextRun = async (already: number): Promise<string> => {
    await schedule.trigger();
    return eventually(async () => {
      const { recentActions } = (await schedule.describe()).info;
      return recentActions[already]?.action.workflow.workflowId;
    });
  };
  await worker.runUntil(async () => {
    for (const already of [0, 1]) {
      const workflowId = await nextRun(already);
      expect(workflowId).toMatch(/-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      const run = client.workflow.getHandle(workflowId);
      expect(await run.result()).toMatchObject({ total: 0 });
      expect(await (await run.describe()).staticSummary()).toBe('a summary');
    }
  });
  await schedule.delete();
});
