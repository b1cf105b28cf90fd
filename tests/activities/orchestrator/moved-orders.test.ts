import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { cancelTask } from '../../../db/orchestrator/cancellations.js';
import { addCheckIn } from '../../../db/orchestrator/plan-changes.js';
import { findPlan, insertPlan, lockPlan } from '../../../db/orchestrator/plans.js';
import { closeTerminatedRun } from '../../../db/orchestrator/runs.js';
import { findUnknownOrderRun, recordNoOrder } from '../../../db/orchestrator/unknown-orders.js';
import { recordPharmacyCase } from '../../../db/orchestrator/shipments.js';
import { isRefillUnderWay } from '../../../db/orchestrator/refill-schedules.js';
import { beginPlan } from '../../../domain/orchestrator/plans.js';
import { dayFromToday } from '../../api/orchestrator/refills.js';
import { eventually, freshTask } from '../../helpers/client.js';
import { eventOf, workItemsOf } from '../events.js';
import { closeParts, db, dev, running } from '../real-parts.js';
import { claim, own } from './steps-twice.js';

afterAll(closeParts);

const failed = {
  success: false,
  completedSteps: [],
  failedStep: 'pharmacy_submission' as const,
  error: 'pharmacy_a rejected the order',
  warnings: [],
  medication: 'Semaglutide',
  patientName: 'Ada Test',
  state: 'WA',
};

const phase = {
  medication: 'semaglutide',
  fills: 2,
  daysSupply: 30,
  checkIn: 'none',
  decision: 'none',
} as const;
/** A plan whose second fill is under way. */
async function runningFill() {
  const emrPatientId = randomUUID();
  const position = beginPlan({
    phases: [
      { ...phase, dosage: 'low' },
      { ...phase, dosage: 'high' },
    ],
    startDate: dayFromToday(0),
    prescribedUntil: dayFromToday(365),
    running: { phase: 1, sent: 1, lastFillDate: dayFromToday(-20) },
  })!;
  const plan = { client: '', planRef: randomUUID(), bodyHash: '', treatment: 'weight', requestedBy: '' };
  const id = await db.begin((sql) => insertPlan(sql, { ...plan, emrPatientId, position }, null));
  const reference = `refill-${id}-2`;
  const run = { ...claim(reference, emrPatientId), kind: 'refill' as const, taskId: `refill-${id}` };
  await own.claimTask({ ...run, detailsHash: '' });
  return { id, ...run };
}
/** The same, after its pharmacy rejected the order, or left its outcome unknown. */
async function failedFill(unknownSubmissionId?: string) {
  return fail(await runningFill(), unknownSubmissionId);
}
async function fail(run: Awaited<ReturnType<typeof runningFill>>, unknownSubmissionId?: string) {
  const { id, runId, reference, taskId, workflowId } = run;
  const item = { reference, taskId, workflowId, reason: 'pharmacy_submission', canReroute: true };
  const why =
    unknownSubmissionId === undefined ? { failedApproval: item, code: 'order_rejected' as const } : {};
  await own.recordOutcome({ runId, reference, result: failed, unknownSubmissionId, ...why });
  return { id, reference };
}
const asked = async ({ id }: { id: string }) =>
  (await findPlan(db, id))?.waiting.map(({ what, because }) => `${what}:${because}`);
const flag = ({ id }: { id: string }) => db`update orchestrator.plan set is_flagged = true where id = ${id}`;
const opening = ({ reference }: { reference: string }) =>
  own.openReroute({ reference, pharmacy: 'pharmacy_b', requestedBy: 'key' });

describe('a fill that its pharmacy rejected', () => {
  test('is reported to its client as a rejected order and a failed refill', async () => {
    const { id, reference } = await failedFill();
    const events = await db`
      select type, data ->> 'code' as code from orchestrator.client_event
      where task_id = ${`refill-${id}`} order by type
    `;
    expect(events).toEqual([
      { type: 'order.rejected', code: 'order_rejected' },
      { type: 'refill.failed', code: 'order_rejected' },
    ]);
    expect(await workItemsOf('orchestrator', `${reference} pharmacy_submission`)).toMatchObject([
      { kind: 'refill_failed', reason: 'pharmacy_submission', state: 'open' },
    ]);
  });

  test('goes to no other pharmacy while the gate of its plan is closed', async () => {
    const fill = await failedFill();
    await flag(fill);
    await expect(opening(fill)).rejects.toMatchObject({ type: 'TaskConflict', message: 'Plan is waiting' });
    expect(await db`select changing from orchestrator.task where task_id = ${fill.reference}`).toEqual([
      { changing: null },
    ]);
  });

  test('goes to no other pharmacy after a decision for another phase', async () => {
    const fill = await failedFill();
    await db`update orchestrator.plan set phase = 2 where id = ${fill.id}`;
    await expect(opening(fill)).rejects.toMatchObject({
      type: 'TaskConflict',
      message: 'There is no order to move',
    });
  });

  test('is under way while it is rerouted', async () => {
    const fill = await failedFill();
    const isUnderWay = () => isRefillUnderWay(db, { id: fill.id, refillsSent: 1 });
    expect(await isUnderWay()).toBe(false);
    await opening(fill);
    expect(await isUnderWay()).toBe(true);
    await own.endReroute({ taskId: fill.reference });
    expect(await isUnderWay()).toBe(false);
  });

  test('keeps its place in a reroute that had begun when the gate closed', async () => {
    const fill = await failedFill();
    expect(await opening(fill)).toMatchObject({ run: { isFailed: true } });
    await flag(fill);
    expect(await opening(fill)).toMatchObject({ run: { isFailed: true } });
  });
});

test('an order that may exist moves although the gate of its plan is closed', async () => {
  const fill = await failedFill(randomUUID());
  await flag(fill);
  expect(await opening(fill)).toMatchObject({ run: { isFailed: true } });
});

const day = { today: dayFromToday(0), timeZone: 'UTC' };

test('a fill whose order may exist asks for a decision at once when it is cancelled', async () => {
  const { id, reference } = await failedFill(randomUUID());
  await db`update orchestrator.plan set asked_fill = 3 where id = ${id}`;
  await cancelTask(db, { taskId: reference, submissionId: null, day });
  expect(await asked({ id })).toEqual(['decision:cancelled']);
});

describe('a check-in that is flagged while a fill is under way is asked about', () => {
  const checkIn = ({ id }: { id: string }) =>
    db.begin(async (sql) => {
      await sql`update orchestrator.plan set asked_fill = 2 where id = ${id}`;
      const plan = (await lockPlan(sql, id))!;
      await addCheckIn(sql, plan, { answers: '{}', flagged: true, daysOnHand: null }, day);
    });
  const startsOf = ({ id }: { id: string }) => db`
    select from orchestrator.outbox
    where aggregate_id = ${`plan:${id}`} and (detail ->> 'mayBeDue')::boolean
  `;

  test('once its order is rejected, and the fill is not sent again by that', async () => {
    const run = await runningFill();
    await checkIn(run);
    expect(await asked(run)).toEqual([]);
    const before = (await startsOf(run)).length;
    await fail(run);
    expect(await asked(run)).toEqual(['decision:flagged']);
    expect(await startsOf(run)).toHaveLength(before);
  });

  test('once its workflow is found terminated', async () => {
    const run = await runningFill();
    await checkIn(run);
    await closeTerminatedRun(db, run.runId, null, day);
    expect(await asked(run)).toEqual(['decision:flagged']);
  });

  test('once its order of unknown outcome turns out not to exist', async () => {
    const submissionId = randomUUID();
    const fill = await failedFill(submissionId);
    await checkIn(fill);
    expect(await asked(fill)).toEqual([]);
    const failedRun = await findUnknownOrderRun(db, submissionId);
    await recordNoOrder(db, failedRun!, submissionId, day);
    expect(await asked(fill)).toEqual(['decision:flagged']);
  });

  test('once its reroute ends without an order', async () => {
    const fill = await failedFill();
    await opening(fill);
    await checkIn(fill);
    expect(await asked(fill)).toEqual([]);
    await own.endReroute({ taskId: fill.reference, isRefused: true });
    expect(await asked(fill)).toEqual(['decision:flagged']);
  });
});

async function claimed(taskId: string) {
  const request = claim(taskId);
  const { runId, emrPatientId } = request;
  return { runId, emrPatientId, claim: await own.claimTask(request) };
}

/** A run that orders under the next reference of its task, since the first pharmacy rejected the order. */
async function ordering() {
  const taskId = freshTask();
  const first = await claimed(taskId);
  await own.recordOutcome({ runId: first.runId, reference: taskId, result: failed });
  const freed = { reference: taskId, submissionId: null };
  const { reference } = await own.moveReference({ taskId, pharmacy: 'pharmacy_b', freed });
  const { runId, emrPatientId, claim: second } = await claimed(taskId);
  expect([reference, second]).toMatchObject([`${taskId}#2`, { placing: { reference } }]);
  return { taskId, runId, emrPatientId, reference };
}

test('the outcome of an order is consumed after its run has recorded that it is unknown', async () => {
  const { taskId, runId, reference } = await ordering();
  const submissionId = randomUUID();
  const clientId = dev.apiKeys['orchestrator']!.key;
  const found = { submissionId, clientId, sourceOrderId: reference, pharmacy: 'pharmacy_b' };
  const event = eventOf('router', 'order.settled', { ...found, pharmacyOrderId: null });
  const consume = () =>
    running((input: Parameters<typeof own.consumeEvent>[0]) => own.consumeEvent(input), {
      consumer: 'orchestrator',
      event,
    });
  await expect(consume()).rejects.toThrow('A run of the order is under way');

  await own.recordOutcome({ runId, reference: taskId, result: failed, unknownSubmissionId: submissionId });
  await consume();
  expect(await workItemsOf('orchestrator', taskId)).toMatchObject([
    { kind: 'approval_failed', reason: 'order_rejected', state: 'open' },
  ]);
});

const shipmentFailed = (submissionId: string, reference: string) =>
  running((input: Parameters<typeof own.recordFailedShipment>[0]) => own.recordFailedShipment(input), {
    submissionId,
    reference,
    reason: 'refused',
  });

test('the work item of a shipment that failed names the task of its order', async () => {
  const { taskId, reference } = await ordering();
  const submissionId = randomUUID();
  await shipmentFailed(submissionId, reference);
  expect(
    await db`select kind, refers_to from orchestrator.work_item where fact = ${submissionId}`,
  ).toMatchObject([{ kind: 'shipment_failed', refersTo: { taskId, submissionId } }]);
});

test('the work item of a shipment that failed closes once the order moves, and its label is given up', async () => {
  const { taskId, emrPatientId, reference } = await ordering();
  const submissionId = randomUUID();
  const order = { pharmacy: 'pharmacy_b', pharmacyOrderId: randomUUID(), submissionId };
  await recordPharmacyCase(db, { ...order, emrPatientId });
  await shipmentFailed(submissionId, reference);
  expect(await own.needsLabel({ submissionId })).toBe(true);
  await own.moveReference({ taskId, pharmacy: 'pharmacy_a', freed: { reference, submissionId } });
  expect(await own.needsLabel({ submissionId })).toBe(false);
  await shipmentFailed(submissionId, reference);
  expect(await workItemsOf('orchestrator', submissionId)).toMatchObject([
    { kind: 'shipment_failed', state: 'closed', told: 2 },
  ]);
});

test('Only a reroute that takes over from a lost one finds the order that this one placed', async () => {
  const { taskId, runId, emrPatientId, reference } = await ordering();
  await own.recordOutcome({ runId, reference: taskId, result: failed });
  const isFromReroute = async () => (await opening({ reference: taskId })).live?.isFromReroute;
  expect([await isFromReroute(), await isFromReroute()]).toEqual([false, false]);

  const pharmacy = 'pharmacy_b';
  const next = await own.moveReference({ taskId, pharmacy, freed: { reference, submissionId: null } });
  const placed = { submissionId: randomUUID(), pharmacyOrderId: randomUUID(), pharmacy };
  await own.recordMoved({ ...next, ...placed, taskId, emrPatientId });
  expect(await isFromReroute()).toBe(true);
  await own.endReroute({ taskId });
  expect(await isFromReroute()).toBe(false);
});

/** The backend that waits for a lock of another one. */
const waiterFor = (holder: number | undefined) =>
  eventually(async () => {
    const [waiter] = await db<{ pid: number }[]>`
      select pid from pg_stat_activity where ${holder ?? 0} = any(pg_blocking_pids(pid))
    `;
    return waiter?.pid;
  });

test('A reroute that opens while the pharmacy cancels the order by itself finds a cancelled task', async () => {
  const taskId = freshTask();
  const { runId } = await claimed(taskId);
  await own.recordOutcome({ runId, reference: taskId, result: failed });
  const { changes } = await db.begin(async (sql) => {
    await sql`select from orchestrator.task where task_id = ${taskId} for update`;
    const [holder] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const cancelling = own.recordPharmacyCancelled({
      heldBy: taskId,
      reference: taskId,
      submissionId: randomUUID(),
    });
    const waiter = await waiterFor(holder?.pid);
    const rerouting = opening({ reference: taskId });
    const changes = Promise.allSettled([cancelling, rerouting]);
    await waiterFor(waiter);
    // In an object, since the transaction would wait for the promise.
    return { changes };
  });
  expect(await changes).toMatchObject([
    { status: 'fulfilled', value: { isCancelled: true } },
    { status: 'rejected', reason: { type: 'TaskConflict', message: 'Task was cancelled' } },
  ]);
});
