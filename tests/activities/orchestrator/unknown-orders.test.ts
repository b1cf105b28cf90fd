import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { closeTerminatedRun } from '../../../db/orchestrator/runs.js';
import { findUnknownOrderRun } from '../../../db/orchestrator/unknown-orders.js';
import { cancelledText, operatorCancelledText } from '../../../domain/orchestrator/cancellation.js';
import { jsonHash } from '../../../platform/crypto/ids.js';
import { dayFromToday } from '../../api/orchestrator/refills.js';
import { eventually, freshTask } from '../../helpers/client.js';
import { eventOf, workItemsOf } from '../events.js';
import { closeParts, db, dev, running } from '../real-parts.js';
import { claim, own, steps } from './steps-twice.js';

afterAll(closeParts);

const day = { today: dayFromToday(0), timeZone: 'UTC' };

const failed = {
  success: false,
  completedSteps: [],
  failedStep: 'pharmacy_submission' as const,
  error: 'No answer in time',
  warnings: [],
  medication: 'Semaglutide',
  patientName: 'Ada Test',
  state: 'WA',
};

/** Consumes the router's news of an order; without `pharmacyOrderId`, it does not exist. */
const consumeSettled = (order: {
  submissionId: string;
  sourceOrderId: string;
  pharmacy?: string;
  pharmacyOrderId?: string;
}) => {
  const clientId = dev.apiKeys['orchestrator']!.key;
  const detail = { clientId, pharmacy: 'pharmacy_b', pharmacyOrderId: null, ...order };
  return running((input: Parameters<typeof own.consumeEvent>[0]) => own.consumeEvent(input), {
    consumer: 'orchestrator',
    event: eventOf('router', 'order.settled', detail),
  });
};

/** A run that has claimed its task. */
async function begun(taskId = freshTask(), medication = 'semaglutide') {
  const run = { ...claim(taskId), workflowId: `approval:${taskId}`, medication };
  await own.claimTask(run);
  return run;
}

/** A run that left the outcome of its order unknown, and its repeat. */
async function repeated(medication?: string) {
  const first = await begun();
  const { taskId } = first;
  const submissionId = randomUUID();
  await own.recordOutcome({
    runId: first.runId,
    reference: taskId,
    result: failed,
    unknownSubmissionId: submissionId,
  });
  const { runId } = await begun(taskId, medication);
  return { taskId, submissionId, first, runId };
}
/** The router tells a run that the outcome of an earlier run's submission is unknown. */
const told = (taskId: string, runId: string, unknownSubmissionId: string) =>
  own.recordOutcome({
    runId,
    reference: taskId,
    result: { ...failed, error: 'Outcome of the first submission is unknown' },
    unknownSubmissionId,
    isEarlierOrder: true,
  });

const beforeOrder = { ...failed, failedStep: 'patient_details' as const, error: 'EMR answered 503' };

const deny = (taskId: string) => {
  const runId = randomUUID();
  const denial = { taskId, runId, workflowId: `denial:${runId}`, emrPatientId: null };
  return running((input: typeof denial) => own.claimDenial(input), denial);
};

const isApproved = { type: 'TaskConflict', message: 'Task already approved' };

test('An order stays unknown after a repeat that fails before step 4, until the router finds out', async () => {
  const { taskId, submissionId, runId } = await repeated();
  await own.recordOutcome({ runId, reference: taskId, result: beforeOrder });
  await expect(deny(taskId)).rejects.toMatchObject(isApproved);
  expect(await own.findOrderAtEnd({ taskId })).toEqual({ state: 'ordered', reference: taskId });

  await consumeSettled({ submissionId, sourceOrderId: taskId });
  expect(await workItemsOf('orchestrator', taskId)).toMatchObject([
    { kind: 'approval_failed', reason: 'order_rejected', state: 'open' },
  ]);
  expect(await deny(taskId)).toBe(true);
});

test('The pharmacy is asked for an unknown order when its repeat is canceled before step 4', async () => {
  const { taskId, runId } = await repeated();
  await own.openCancellation({ reference: taskId, reason: 'Test', stopRefills: false, requestedBy: 'key' });
  const result = { ...beforeOrder, error: operatorCancelledText };
  const recorded = await own.recordOutcome({ runId, reference: taskId, result });
  expect(recorded).toMatchObject({ error: cancelledText });
  expect(await own.findOrderAtEnd({ taskId })).toEqual({ state: 'ordered', reference: taskId });
});

test('An unknown order does not exist after the pharmacy rejects its repeat', async () => {
  const { taskId, submissionId, runId } = await repeated();
  await own.recordOutcome({ runId, reference: taskId, result: failed, unknownSubmissionId: null });
  expect(await db`select id from orchestrator.run where unknown_submission_id = ${submissionId}`).toEqual([]);
  expect(await deny(taskId)).toBe(true);
});

test('An unknown order resumes or moves with the details it was sent with, whatever its repeat had', async () => {
  const { taskId, submissionId, first, runId } = await repeated('tirzepatide');
  await told(taskId, runId, submissionId);
  const { medication, emrPatientId } = first;
  const sent = { medication, emrPatientId };
  expect(await findUnknownOrderRun(db, submissionId)).toMatchObject({ ...sent, runId: first.runId });
  const asked = { reference: taskId, pharmacy: 'pharmacy_b' as const, requestedBy: 'key' };
  const detailsHash = jsonHash(sent);
  expect(await own.openReroute(asked)).toMatchObject({ run: { ...sent, detailsHash } });
});

test('An order that a terminated run sent resumes with its details after a repeat with others, and is not forgotten', async () => {
  const first = await begun();
  const { taskId, medication } = first;
  await closeTerminatedRun(db, first.runId, null, day);
  const submissionId = randomUUID();
  const { runId } = await begun(taskId, 'tirzepatide');
  await told(taskId, runId, submissionId);
  expect(await findUnknownOrderRun(db, submissionId)).toMatchObject({ medication, runId: first.runId });
  expect(await workItemsOf('orchestrator', taskId)).toMatchObject([
    { reason: 'terminated', state: 'closed' },
  ]);

  await consumeSettled({ submissionId, sourceOrderId: taskId });
  expect(await workItemsOf('orchestrator', taskId)).toMatchObject([
    { reason: 'order_rejected', state: 'open' },
  ]);
});

/** A run whose order is at the pharmacy, which it has not recorded. */
async function ordering() {
  const { input } = await steps.submitToPharmacy();
  const taskId = input.sourceOrderId;
  const { runId } = await begun(taskId);
  const placed = await running((order: typeof input) => own.submitToPharmacy(order), input);
  return { taskId, runId, placed };
}

test('A denial is rejected if the order of a terminated run may exist, also after another run, and accepted otherwise', async () => {
  const { taskId, runId, placed } = await ordering();
  await closeTerminatedRun(db, runId, null, day);
  await expect(deny(taskId)).rejects.toMatchObject(isApproved);
  const repeat = await begun(taskId);
  await own.recordOutcome({ runId: repeat.runId, reference: taskId, result: beforeOrder });
  await expect(deny(taskId)).rejects.toMatchObject(isApproved);

  const { submissionId } = placed;
  await db`
    update router.submission set status = 'failed', outcome = 'unanswered', pharmacy_order_id = null
    where id = ${submissionId}
  `;
  await expect(deny(taskId)).rejects.toMatchObject(isApproved);
  await db`update router.submission set outcome = 'rejected' where id = ${submissionId}`;
  expect(await deny(taskId)).toBe(true);

  const unordered = await begun();
  await closeTerminatedRun(db, unordered.runId, null, day);
  expect(await deny(unordered.taskId)).toBe(true);
});

test('An order that exists is charged for after a cancellation that came before its resumed run and was denied', async () => {
  const { taskId, runId, placed } = await ordering();
  const unknownSubmissionId = placed.submissionId;
  await own.recordOutcome({ runId, reference: taskId, result: failed, unknownSubmissionId });
  const consume = () => consumeSettled({ ...placed, sourceOrderId: taskId });

  await db.begin(async (sql) => {
    const [holder] = await sql<{ pid: number }[]>`
      select pg_backend_pid() as pid from orchestrator.task where task_id = ${taskId} for update
    `;
    await expect(consume()).rejects.toThrow('The resumed run has not claimed the task');
    await eventually(async () => {
      const waiting = await db`
        select from pg_stat_activity where ${holder?.pid ?? 0} = any(pg_blocking_pids(pid))
      `;
      return waiting.length > 0;
    });
    await sql`
      update orchestrator.task set changing = 'cancellation', changing_since = now() where task_id = ${taskId}
    `;
  });
  await own.recordDenied({ taskId, reason: 'already_dispensed' });
  await eventually(() =>
    consume().then(
      () => true,
      () => false,
    ),
  );
  expect(await db`select status from orchestrator.run where task_id = ${taskId} order by created_at`).toEqual(
    [{ status: 'failed' }, { status: 'completed' }],
  );
});

test('An order that turns up after it was given up is cancelled at its pharmacy, or reported when it ships', async () => {
  const { taskId, placed } = await ordering();
  const { submissionId, pharmacy, pharmacyOrderId } = placed;
  await db`update orchestrator.order_reference set state = 'freed' where reference = ${taskId}`;
  await eventually(() =>
    consumeSettled({ ...placed, sourceOrderId: taskId }).then(
      () => true,
      () => false,
    ),
  );
  expect(await db`select status from router.submission where id = ${submissionId}`).toEqual([
    { status: 'cancelled' },
  ]);

  const order = { submissionId, sourceOrderId: taskId, pharmacy, pharmacyOrderId };
  await own.recordShipmentUpdate({ ...order, state: 'shipped', trackingNumber: '1Z', carrier: 'ups' });
  expect(await workItemsOf('orchestrator', taskId)).toMatchObject([
    { kind: 'shipped_after_cancel', state: 'open' },
  ]);
});
