// Answers that are lost for good (D114).
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { DevJson } from '../../../dev/dev-json.js';
import { createSql, type Sql } from '../../../db/client.js';
import type { PrescriptionSubmission } from '../../../domain/router/submission.js';
import {
  allSteps,
  approve,
  chargesOf,
  endedRun,
  messagesTo,
  ordersOf,
  ordersUnder,
  runsOf,
  semaglutideFor,
  submissionIdOf,
} from '../../api/orchestrator/approvals.js';
import { call, eventually, patientIn, sandbox } from '../../helpers/client.js';
import { inState } from '../../helpers/prescription.js';
import { startTestSystem, type TestSystem } from '../../helpers/system.js';
import { clearFaults, faultsMet, setFault } from '../faults.js';
import { approvalIn, shipmentsOf } from '../outages.js';

let running: TestSystem;
let dev: DevJson;
/** The database as its owner sees it. */
let sql: Sql;
beforeAll(async () => {
  running = await startTestSystem({
    split: true,
    env: { ORDER_SETTLE_SECONDS: '3,6,9', DRAIN_SECONDS: '4' },
  });
  dev = running.system.dev;
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
});
afterEach(() => clearFaults(dev));
afterAll(async () => {
  await sql.end();
  await running.stop();
});

const order = { target: 'pharmacy_a', operation: 'order' };
const move = (pharmacy: string, orderId: string, body: object) =>
  sandbox(dev, `/pharmacies/${pharmacy}/orders/${orderId}/status`, { method: 'POST', body });
const shipmentOf = (submissionId: string) =>
  sql`select state, tracking_number from orchestrator.shipment where submission_id = ${submissionId}`;
const itemsOf = (schema: string, fact: string) =>
  sql`select kind, state, closed_by from ${sql(`${schema}.work_item`)} where fact = ${fact}`;
async function deny(taskId: string) {
  const path = '/orchestrator/deny';
  const { status, body } = await call(dev, 'orchestrator', { method: 'POST', path, body: { taskId } });
  return { status, error: body['error'] };
}
const submit = (body: PrescriptionSubmission) =>
  call<{ submissionId: string }>(dev, 'router', {
    key: 'clinic',
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body,
  });
const recordOf = async (submissionId: string) =>
  (
    await call<{ status: string }>(dev, 'router', {
      key: 'clinic',
      path: `/rx/prescriptions/${submissionId}`,
    })
  ).body;

test('APIs that are told to stop say so, go on for DRAIN_SECONDS, and answer what is under way; the run goes on', async () => {
  await setFault(dev, { ...order, kind: 'hang', times: 1 });
  const approval = semaglutideFor(patientIn(dev, 'WA'));
  const underWay = approve(dev, approval);
  await faultsMet(dev);
  await setFault(dev, { ...order, kind: 'hang', times: 1 });
  const told = dev.pids['api'];
  process.kill(told, 'SIGTERM');
  const { orchestrator } = dev.services;
  await eventually(async () => (await fetch(`${orchestrator}/ready`)).status === 503);
  const draining = await call(dev, 'orchestrator', { path: '/orchestrator/runs?limit=1' });
  expect([draining.status, draining.headers.get('connection')]).toEqual([200, 'close']);
  const { status, body } = await underWay;
  expect([status, body.taskId]).toEqual([202, approval.taskId]);
  await eventually(async () => dev.pids['api'] !== told);
  const run = await eventually(() => endedRun(dev, approval.taskId));
  expect(run).toMatchObject({ status: 'completed', warnings: [] });
  expect(await ordersOf(dev, approval.taskId)).toHaveLength(1);
});

test('a pharmacy that took the order and never answered: charged, told and tracked without anybody', async () => {
  await setFault(dev, { ...order, kind: 'lost-answer' });
  const { taskId, patient } = await approvalIn(dev, 'WA');
  const submissionId = submissionIdOf(dev, taskId);
  const failed = await eventually(() => endedRun(dev, taskId));
  expect(failed).toMatchObject({ status: 'failed', failedStep: 'pharmacy_submission' });
  expect(await chargesOf(dev, taskId)).toEqual([]);
  expect(await deny(taskId)).toEqual({ status: 409, error: 'Task already approved' });

  const [carriedOn, before] = await eventually(async () => {
    const runs = await runsOf(dev, taskId);
    return runs.length === 2 && runs[0]?.status !== 'pending' && runs;
  });
  expect(before).toMatchObject({ id: failed.id, status: 'failed' });
  expect(carriedOn).toMatchObject({ status: 'completed', completedSteps: allSteps, warnings: [] });
  expect(await chargesOf(dev, taskId)).toHaveLength(1);
  expect((await messagesTo(dev, patient)).map(({ channel }) => channel)).toEqual(['email', 'sms']);

  const [placed, ...others] = await ordersOf(dev, taskId);
  expect(others).toEqual([]);
  await move('pharmacy_a', placed!.orderId, { status: 'shipped', trackingNumber: '1Z777', carrier: 'ups' });
  await eventually(async () => (await messagesTo(dev, patient)).length === 4);
  expect(await shipmentOf(submissionId)).toEqual([{ state: 'shipped', trackingNumber: '1Z777' }]);
  expect(await itemsOf('router', submissionId)).toEqual([]);
});

test('an order that the pharmacy does not have is a rejection; our own task waits for a person', async () => {
  await setFault(dev, { ...order, kind: 'drop' });
  const { taskId } = await approvalIn(dev, 'WA');
  const [item] = await eventually(async () => {
    const items = await itemsOf('orchestrator', taskId);
    return items.length > 0 && items;
  });
  expect(item).toMatchObject({ kind: 'approval_failed', state: 'open' });
  expect(await runsOf(dev, taskId)).toMatchObject([{ status: 'failed' }]);
  expect(await chargesOf(dev, taskId)).toEqual([]);
  await clearFaults(dev);
  // There is nothing any more that a denial could contradict.
  expect(await deny(taskId)).toMatchObject({ status: 200 });
  const run = (await runsOf(dev, taskId)).at(-1);
  const again = { taskId, medication: 'semaglutide', emrPatientId: run!.emrPatientId };
  expect((await approve(dev, again)).status).toBe(200);
  const submissionId = submissionIdOf(dev, taskId);
  expect(await ordersOf(dev, taskId)).toMatchObject([{ idempotencyKey: `${submissionId}-2` }]);
});

test('an order asked for in vain is a work item, which closes by itself when a repeat is answered', async () => {
  await setFault(dev, { ...order, kind: 'lost-answer' });
  await setFault(dev, { target: 'pharmacy_a', operation: 'find', kind: 'status', status: 503 });
  const submission = inState('WA');
  const lost = await submit(submission);
  const { submissionId } = lost.body;
  expect([lost.status, lost.headers.get('x-order-outcome')]).toEqual([502, 'unknown']);
  await eventually(async () => (await itemsOf('router', submissionId)).length > 0);
  expect(await itemsOf('router', submissionId)).toEqual([
    { kind: 'order_unknown', state: 'open', closedBy: null },
  ]);
  await clearFaults(dev);
  expect((await submit(submission)).status).toBe(201);
  expect(await itemsOf('router', submissionId)).toEqual([
    { kind: 'order_unknown', state: 'closed', closedBy: 'system' },
  ]);
  expect(await ordersUnder(dev, submissionId)).toHaveLength(1);
});

test.each(['WA', 'TX'])(
  "another client's order that turns out to exist in %s: an update, and 201 from then on",
  async (state) => {
    const target = state === 'WA' ? 'pharmacy_a' : 'pharmacy_b';
    await setFault(dev, { target, operation: 'order', kind: 'lost-answer' });
    const submission = inState(state);
    const { submissionId } = (await submit(submission)).body;
    await eventually(async () => (await recordOf(submissionId)).status === 'submitted');
    const { body } = await call<{ callbacks: { kind: string; payload: { status: string } }[] }>(
      dev,
      'router',
      {
        key: 'clinic',
        path: `/rx/prescriptions/${submissionId}/callbacks`,
      },
    );
    expect(body.callbacks.map(({ kind, payload }) => [kind, payload.status])).toEqual([
      ['initial', 'failed'],
      ['update', 'submitted'],
    ]);
    expect(await submit(submission)).toMatchObject({ status: 201, body: { submissionId } });
    expect(await ordersUnder(dev, submissionId)).toHaveLength(1);
  },
);

test('a label whose every answer was lost: recorded, once, and the later tracking is taken', async () => {
  await setFault(dev, { target: 'shipping', operation: 'create', kind: 'lost-answer', times: 3 });
  const { taskId, patient } = await approvalIn(dev, 'NY');
  const submissionId = submissionIdOf(dev, taskId);
  const run = await eventually(() => endedRun(dev, taskId));
  expect(run).toMatchObject({ status: 'completed', warnings: ['shipment_failed'] });
  expect(run).not.toHaveProperty('settledAt');
  const settled = await eventually(async () => {
    const [now] = await runsOf(dev, taskId);
    return now?.settledAt !== undefined && now;
  });
  expect(settled).toMatchObject({ status: 'completed', warnings: ['shipment_failed'] });
  expect(await shipmentOf(submissionId)).toMatchObject([{ state: 'label_created' }]);
  const labels = await shipmentsOf(dev, submissionId, 'label');
  expect(new Set(labels.map(({ headers }) => headers['idempotency-key']))).toEqual(
    new Set([`shipment:${submissionId}`]),
  );
  const [placed] = await ordersOf(dev, taskId);
  await move('pharmacy_c', placed!.orderId, { status: 'shipped', trackingNumber: '1Z888', carrier: 'ups' });
  await eventually(async () => (await messagesTo(dev, patient)).length === 4);
  expect(await shipmentOf(submissionId)).toEqual([{ state: 'shipped', trackingNumber: '1Z888' }]);
  expect(await itemsOf('orchestrator', submissionId)).toEqual([]);
});

test('a label that is still lost when its order ships is found first, and the parcel has one record', async () => {
  await setFault(dev, { target: 'shipping', operation: 'create', kind: 'lost-answer', times: 3 });
  const { taskId, patient } = await approvalIn(dev, 'NY');
  const submissionId = submissionIdOf(dev, taskId);
  await eventually(() => endedRun(dev, taskId));
  const [placed] = await ordersOf(dev, taskId);
  await move('pharmacy_c', placed!.orderId, { status: 'shipped', trackingNumber: '1Z999', carrier: 'ups' });
  await eventually(async () => (await messagesTo(dev, patient)).length === 4);
  expect(await shipmentOf(submissionId)).toEqual([{ state: 'shipped', trackingNumber: '1Z999' }]);
  await eventually(async () => (await runsOf(dev, taskId))[0]?.settledAt !== undefined);
  expect(await shipmentsOf(dev, submissionId, 'tracking')).toEqual([]);
});
