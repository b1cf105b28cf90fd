import { expect, test } from '@jest/globals';
import { call, eventually } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import {
  approve,
  approveAsync,
  chargesOf,
  ordersOf,
  runsOf,
  semaglutideFor,
  submissionIdOf,
} from '../../api/orchestrator/approvals.js';
import {
  booked,
  cancel,
  cancelMails,
  refundsOf,
  reroute,
  statusesOf,
  wereLiveAtOnce,
} from '../../api/orchestrator/exceptions.js';
import { faultsMet, setFault } from '../faults.js';
import { dev, sql } from '../faulty-system.js';

const reason = 'Prescribed twice.';
const killWorkers = () => process.kill(dev.pids.workers, 'SIGKILL');

async function withCard(state = 'WA') {
  const patient = await newPatient(dev, state);
  await saveCard(dev, patient);
  return { patient, approval: semaglutideFor(patient.id) };
}
async function approved() {
  const { patient, approval } = await withCard();
  expect((await approve(dev, approval)).status).toBe(200);
  return { patient, taskId: approval.taskId, approval };
}
const refunded = (taskId: string) => eventually(async () => (await refundsOf(dev, taskId)).length > 0);

test('before step 4 the run is ended: its record says Cancelled, nothing is ordered or charged, and it stays so', async () => {
  const { patient, approval } = await withCard();
  const { taskId } = approval;
  await setFault(dev, { target: 'emr', kind: 'delay', delayMs: 3_000, times: 1 });
  await approveAsync(dev, approval);
  await faultsMet(dev);
  const { status, body } = await cancel(dev, { taskId, reason });
  expect([status, body.cancellation]).toEqual([
    200,
    { state: 'approved', reason: null, refundedCents: 0, refillsCancelled: 0, replacementsCancelled: 0 },
  ]);
  expect(await runsOf(dev, taskId)).toMatchObject([{ status: 'failed', error: 'Cancelled' }]);
  expect((await approve(dev, approval)).body).toEqual({ error: 'Task was cancelled' });
  expect([await ordersOf(dev, taskId), await chargesOf(dev, taskId)]).toEqual([[], []]);
  expect(await cancelMails(dev, patient)).toHaveLength(1);
});

test('from step 4 on the run is waited for: what it ordered is given back, and what it charged refunded', async () => {
  const { approval } = await withCard();
  const { taskId } = approval;
  await setFault(dev, { target: 'pharmacy_a', operation: 'order', kind: 'delay', delayMs: 2_000, times: 1 });
  await approveAsync(dev, approval);
  await faultsMet(dev);
  const { body } = await cancel(dev, { taskId, reason });
  expect(body.cancellation).toMatchObject({ state: 'approved', refundedCents: 29_900 });
  expect(await statusesOf(dev, taskId)).toEqual(['cancelled']);
  expect([(await chargesOf(dev, taskId)).length, (await refundsOf(dev, taskId)).length]).toEqual([1, 1]);
});

test('a charge in doubt is refunded once it is found', async () => {
  const { approval } = await withCard();
  const { taskId } = approval;
  await setFault(dev, {
    target: 'stripe',
    operation: 'paymentIntents.create',
    kind: 'lost-answer',
    times: 1,
  });
  await setFault(dev, {
    target: 'stripe',
    operation: 'paymentIntents.list',
    kind: 'status',
    status: 503,
    times: 3,
  });
  expect((await approve(dev, approval)).body.result.warnings).toEqual(['payment_failed']);
  await cancel(dev, { taskId, reason });
  await refunded(taskId);
  expect((await cancel(dev, { taskId, reason })).body.cancellation).toMatchObject({ refundedCents: 29_900 });
  expect(await refundsOf(dev, taskId)).toHaveLength(1);
});

test('a refund whose answer is lost is made once; one that is refused is a work item and no refund', async () => {
  const lost = await approved();
  await setFault(dev, { target: 'stripe', operation: 'refunds.create', kind: 'lost-answer', times: 1 });
  const answer = await cancel(dev, { taskId: lost.taskId, reason });
  expect(answer.body.cancellation.refundedCents).toBe(29_900);
  expect(await refundsOf(dev, lost.taskId)).toHaveLength(1);

  const { taskId } = await approved();
  await setFault(dev, {
    target: 'stripe',
    operation: 'refunds.create',
    kind: 'status',
    status: 400,
    times: 1,
  });
  const { status, body } = await cancel(dev, { taskId, reason });
  expect([status, body.cancellation]).toMatchObject([200, { state: 'approved', refundedCents: 0 }]);
  expect(await refundsOf(dev, taskId)).toEqual([]);
  const items = await sql`select kind, state from orchestrator.work_item where fact = ${taskId}`;
  expect(items).toEqual([{ kind: 'refund_failed', state: 'open' }]);
});

test('an order of which nobody knew, taken back at the router by a person, is not charged first', async () => {
  const { patient, approval } = await withCard();
  const { taskId } = approval;
  await setFault(dev, { target: 'pharmacy_a', operation: 'order', kind: 'lost-answer' });
  await approve(dev, approval);
  expect(await runsOf(dev, taskId)).toMatchObject([{ status: 'failed', failedStep: 'pharmacy_submission' }]);
  // Long enough for the approval to be carried on and charged, once the order is found.
  await setFault(dev, { target: 'pharmacy_a', operation: 'cancel', kind: 'delay', delayMs: 3_000, times: 1 });
  const submissionId = submissionIdOf(dev, taskId);
  const path = `/rx/prescriptions/${submissionId}/cancel`;
  const { body } = await call<{ cancellation: object }>(dev, 'router', {
    key: 'orchestrator',
    method: 'POST',
    path,
  });
  expect(body.cancellation).toMatchObject({ state: 'approved' });
  await eventually(async () => (await cancelMails(dev, patient)).length > 0);
  // The news that the order exists has been heard, too.
  await eventually(async () => {
    const rows = await sql`
      select from router.event_delivery delivery
      join router.outbox event on event.id = delivery.event_id
      where event.detail_type = 'order.settled' and event.aggregate_id = ${submissionId} and state = 'delivered'
    `;
    return rows.length > 0;
  });
  expect((await runsOf(dev, taskId)).map(({ status }) => status)).toEqual(['failed']);
  expect([await chargesOf(dev, taskId), await refundsOf(dev, taskId)]).toEqual([[], []]);
  expect(await statusesOf(dev, taskId)).toEqual(['cancelled']);
});

const gaps = [
  ['stripe', 'refunds.create'],
  ['pharmacy_a', 'cancel'],
] as const;

test.each(gaps)(
  'workers killed while %s does %s: taken back with one refund and one mail',
  async (target, operation) => {
    const { patient, taskId } = await approved();
    await setFault(dev, { target, operation, kind: 'delay', delayMs: 1_000, times: 1 });
    const answer = cancel(dev, { taskId, reason });
    await faultsMet(dev);
    killWorkers();
    expect((await answer).body.cancellation).toMatchObject({ state: 'approved', refundedCents: 29_900 });
    await eventually(async () => (await cancelMails(dev, patient)).length > 0);
    expect(await statusesOf(dev, taskId)).toEqual(['cancelled']);
    expect(await refundsOf(dev, taskId)).toHaveLength(1);
    expect(await cancelMails(dev, patient)).toHaveLength(1);
  },
);

const moves = [
  ['pharmacy_b', 'order'],
  ['pharmacy_a', 'cancel'],
] as const;

test.each(moves)(
  'workers killed while %s does %s: moved, with one live order and one charge',
  async (target, operation) => {
    const { taskId } = await approved();
    await setFault(dev, { target, operation, kind: 'delay', delayMs: 1_000, times: 1 });
    const answer = reroute(dev, { taskId, pharmacy: 'pharmacy_b' });
    await faultsMet(dev);
    killWorkers();
    expect((await answer).body.reference).toBe(`${taskId}#2`);
    expect(await statusesOf(dev, taskId)).toEqual(['cancelled']);
    expect(await booked(dev, `${taskId}#2`)).toMatchObject([{ moves: [] }]);
    expect(await wereLiveAtOnce(dev, [taskId, `${taskId}#2`])).toBe(false);
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
  },
);

test('a new pharmacy that rejects is 502 and a work item; the next try takes the next number, and may go back', async () => {
  const { taskId } = await approved();
  await setFault(dev, { target: 'pharmacy_b', operation: 'order', kind: 'status', status: 422, times: 1 });
  const rejected = await reroute(dev, { taskId, pharmacy: 'pharmacy_b' });
  expect([rejected.status, rejected.body]).toEqual([502, { error: expect.any(String) }]);
  const items = () => sql`select kind, state, answers from orchestrator.work_item where fact = ${taskId}`;
  // Its approval has completed, and would only repeat its answer.
  const answers = ['reroute', 'cancel', 'dismiss'];
  expect(await items()).toEqual([{ kind: 'approval_failed', state: 'open', answers }]);
  const { status, body } = await reroute(dev, { taskId, pharmacy: 'pharmacy_a' });
  expect([status, body.reference]).toEqual([200, `${taskId}#3`]);
  expect(await items()).toMatchObject([{ kind: 'approval_failed', state: 'closed' }]);
  expect(await wereLiveAtOnce(dev, [taskId, `${taskId}#2`, `${taskId}#3`])).toBe(false);
  expect(await chargesOf(dev, taskId)).toHaveLength(1);
});
