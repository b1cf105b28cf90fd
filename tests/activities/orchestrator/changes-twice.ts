import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { CancellationActivities } from '../../../activities/orchestrator/cancellations.js';
import type { RefundActivities } from '../../../activities/orchestrator/refunds.js';
import type { RerouteActivities } from '../../../activities/orchestrator/reroutes.js';
import { claimPartRefund } from '../../../db/orchestrator/part-refunds.js';
import { findCancellation } from '../../../db/orchestrator/cancellations.js';
import { closeWorkItem, openWorkItem } from '../../../db/work-items.js';
import { approve, semaglutideFor } from '../../api/orchestrator/approvals.js';
import { booked, refundsOf, statusesOf } from '../../api/orchestrator/exceptions.js';
import { setFault } from '../../faults/faults.js';
import { call } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { db, dev } from '../real-parts.js';
import type { Entries } from '../twice.js';
import { own } from './steps-twice.js';

/** A task that is approved and charged, with its order. */
async function approved() {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  const { body } = await approve(dev, approval);
  const submissionId = body.result.submissionId ?? '';
  return { taskId: approval.taskId, emrPatientId: patient.id, submissionId };
}
/** Such a task, cancelled without its refund. */
export async function unrefunded() {
  const task = await approved();
  await db`update orchestrator.task set cancelled_at = now() where task_id = ${task.taskId}`;
  return task;
}
const asked = (reference: string) => ({ reference, reason: 'Twice', stopRefills: false, requestedBy: 'key' });
const wanted = (reference: string) => ({
  reference,
  pharmacy: 'pharmacy_b' as const,
  requestedBy: 'key',
});
const taskOf = (taskId: string) => db`
  select changing, cancelled_at is not null as is_cancelled from orchestrator.task where task_id = ${taskId}
`;
const referencesOf = (taskId: string) => db`
  select reference, state from orchestrator.order_reference where task_id = ${taskId} order by n
`;
export const itemsOf = (taskId: string) => db`
  select kind, state from orchestrator.work_item where fact = ${taskId}
`;
/** A person answered an item about the task, which is closed by now; the run of that answer has not begun yet. */
export async function answered(
  taskId: string,
  answer: 'cancel' | 'reroute' | 'order_again',
  kind: 'approval_failed' | 'order_missing' = 'approval_failed',
) {
  const askedAt = new Date().toISOString();
  const item = { kind, fact: taskId };
  const references = { taskId, reference: taskId };
  await db.begin(async (sql) => {
    await openWorkItem(sql, 'orchestrator', { ...item, reason: 'rejected', references });
    await sql`update orchestrator.work_item set answering = ${answer} where fact = ${taskId}`;
    await closeWorkItem(sql, 'orchestrator', item);
  });
  return { askedAt };
}
const isOpenAgain = [{ kind: 'approval_failed', state: 'open' }];
const approval = {
  state: 'approved',
  reason: null,
  refundedCents: 0,
  refillsCancelled: 3,
  replacementsCancelled: 0,
};

/** Has the pharmacy give an order back, as the activity does, which needs its context for that. */
const givenBack = ({ submissionId }: { submissionId: string }) =>
  call(dev, 'router', {
    key: 'orchestrator',
    method: 'POST',
    path: `/rx/prescriptions/${submissionId}/cancel`,
    body: { reason: 'Moved' },
  });

/** A task whose first order was given back, and whose next reference is taken. */
async function moving() {
  const task = await approved();
  await own.openReroute(wanted(task.taskId));
  await givenBack(task);
  const freed = { reference: task.taskId, submissionId: task.submissionId };
  const { reference } = await own.moveReference({ taskId: task.taskId, pharmacy: 'pharmacy_b', freed });
  return { ...task, reference };
}

/** Activities that cancel an order or move it. */
export const changes: Entries<CancellationActivities & RefundActivities & RerouteActivities> = {
  openCancellation: async () => {
    const { taskId, emrPatientId } = await approved();
    return {
      input: asked(taskId),
      answers: { task: { runs: null, emrPatientId } },
      seen: () => taskOf(taskId),
      once: [{ changing: 'cancellation', isCancelled: false }],
    };
  },
  findOrderAtEnd: async () => {
    const { taskId } = await approved();
    return { input: { taskId }, answers: { state: 'ordered', reference: taskId } };
  },
  cancelOrder: async () => {
    const { taskId, submissionId } = await approved();
    return {
      input: { reference: taskId, reason: 'Twice' },
      answers: { state: 'approved', submissionId, pharmacyOrderId: expect.any(String) },
      seen: () => statusesOf(dev, taskId),
      once: ['cancelled'],
    };
  },
  readOrderCancellation: async () => {
    const { submissionId } = await approved();
    await givenBack({ submissionId });
    return { input: { submissionId }, answers: { state: 'approved', submissionId } };
  },
  lookForOrder: async () => {
    const { submissionId } = await approved();
    return {
      input: { submissionId },
      answers: { found: true },
      seen: () => db`select status from router.submission where id = ${submissionId}`,
      once: [{ status: 'submitted' }],
    };
  },
  recordCancelled: async () => {
    const { taskId, submissionId } = await approved();
    return {
      input: { taskId, submissionId },
      seen: async () => [await taskOf(taskId), await findCancellation(db, taskId)],
      once: [[{ changing: null, isCancelled: true }], approval],
    };
  },
  recordDenied: async () => {
    const { taskId } = await approved();
    await own.openCancellation(asked(taskId));
    return {
      input: { taskId, reason: 'already_shipped' },
      seen: async () => [await taskOf(taskId), (await findCancellation(db, taskId))?.reason],
      once: [[{ changing: null, isCancelled: false }], 'already_shipped'],
    };
  },
  forgetCancellation: async () => {
    const { taskId } = await approved();
    await own.openCancellation({ ...asked(taskId), ...(await answered(taskId, 'cancel')) });
    return {
      input: { taskId },
      seen: async () => [await taskOf(taskId), await findCancellation(db, taskId), await itemsOf(taskId)],
      once: [[{ changing: null, isCancelled: false }], undefined, isOpenAgain],
    };
  },
  recordPharmacyCancelled: async () => {
    const { taskId, submissionId } = await approved();
    return {
      input: { heldBy: taskId, reference: taskId, submissionId },
      answers: { isCancelled: true },
      seen: () => findCancellation(db, taskId),
      once: approval,
    };
  },
  findOwedRefund: async () => {
    const { taskId } = await unrefunded();
    return {
      input: { taskId },
      answers: {
        kind: 'refund',
        refund: expect.objectContaining({ refundKey: `refund:charge:${taskId}:1`, amountCents: 29_900 }),
      },
    };
  },
  refundCharge: async () => {
    const { taskId } = await unrefunded();
    const owed = await own.findOwedRefund({ taskId });
    if (owed.kind !== 'refund') throw new Error('nothing is owed');
    return {
      input: owed.refund,
      answers: 29_900,
      seen: async () => (await refundsOf(dev, taskId)).map(({ amountCents }) => amountCents),
      once: [29_900],
    };
  },
  recordRefund: async () => {
    const { taskId } = await approved();
    return {
      input: { taskId, refundedCents: 29_900, makesUp: [], part: null },
      seen: () => db`select refunded_cents from orchestrator.payment where task_id = ${taskId}`,
      once: [{ refundedCents: 29_900 }],
    };
  },
  recordRefusedRefund: async () => {
    const { taskId } = await approved();
    return {
      input: {
        taskId,
        workflowId: `cancel-approval:${taskId}`,
        failed: { status: 'failed', refundId: taskId, amountCents: 100 },
      },
      seen: async () => [
        await itemsOf(taskId),
        await db`select refund_id, is_made_up from orchestrator.failed_refund where reference = ${taskId}`,
      ],
      once: [[{ kind: 'refund_failed', state: 'open' }], [{ refundId: taskId, isMadeUp: true }]],
    };
  },
  recordRejectedPart: async () => {
    const { taskId } = await approved();
    const refund = { reference: taskId, amountCents: 100, reason: 'Late', requestedBy: 'key' };
    // The system's own run makes the claimed refund only later.
    const operation = 'refunds.create';
    await setFault(dev, {
      target: 'stripe',
      operation,
      kind: 'status',
      status: 503,
      about: taskId,
      times: 8,
    });
    await claimPartRefund(db, { ...refund, requestKey: taskId });
    return {
      input: { taskId, part: 1 },
      seen: () => db`select state from orchestrator.part_refund where reference = ${taskId}`,
      once: [{ state: 'failed' }],
    };
  },
  listUnrefunded: async () => {
    const { taskId } = await unrefunded();
    return {
      input: { after: taskId.slice(0, -1) },
      answers: expect.arrayContaining([{ reference: taskId, taskId, part: taskId }]),
    };
  },
  openReroute: async () => {
    const { taskId } = await approved();
    return {
      input: wanted(taskId),
      answers: expect.objectContaining({ references: [taskId] }),
      seen: () => taskOf(taskId),
      once: [{ changing: 'reroute', isCancelled: false }],
    };
  },
  checkReroute: async () => {
    const { taskId, submissionId } = await approved();
    return {
      input: { references: [taskId], live: taskId, pharmacy: 'pharmacy_b' },
      answers: { source: submissionId },
    };
  },
  moveReference: async () => {
    const { taskId, submissionId } = await approved();
    return {
      input: { taskId, pharmacy: 'pharmacy_b', freed: { reference: taskId, submissionId } },
      answers: { reference: `${taskId}#2` },
      seen: () => referencesOf(taskId),
      once: [
        { reference: taskId, state: 'freed' },
        { reference: `${taskId}#2`, state: 'live' },
      ],
    };
  },
  placeAgain: async () => {
    const { submissionId, reference } = await moving();
    return {
      input: { source: submissionId, reference, pharmacy: 'pharmacy_b' },
      answers: { placed: expect.objectContaining({ pharmacy: 'pharmacy_b' }) },
      seen: async () => (await booked(dev, reference)).length,
      once: 1,
    };
  },
  recordMoved: async () => {
    const { taskId, emrPatientId, reference } = await moving();
    const placed = { submissionId: randomUUID(), pharmacy: 'pharmacy_b', pharmacyOrderId: randomUUID() };
    return {
      input: { taskId, reference, emrPatientId, ...placed },
      seen: () => db`
        select run.result ->> 'submissionId' as submission_id
        from orchestrator.run join orchestrator.task on task.run_id = run.id where task.task_id = ${taskId}
      `,
      once: [{ submissionId: placed.submissionId }],
    };
  },
  recordNotTaken: async () => {
    const { taskId, reference } = await moving();
    return {
      input: { taskId, reference, submissionId: null, workflowId: `reroute:${taskId}` },
      seen: async () => [await taskOf(taskId), await itemsOf(taskId), (await referencesOf(taskId)).length],
      once: [[{ changing: null, isCancelled: false }], [{ kind: 'approval_failed', state: 'open' }], 2],
    };
  },
  recordPlaced: async () => {
    const { taskId, reference } = await moving();
    return {
      input: { taskId, reference, pharmacy: 'pharmacy_b' },
      answers: expect.objectContaining({ state: 'moved', reference }),
      seen: async () => [await taskOf(taskId), await referencesOf(taskId)],
      once: [
        [{ changing: null, isCancelled: false }],
        [
          { reference: taskId, state: 'freed' },
          { reference, state: 'live' },
        ],
      ],
    };
  },
  endReroute: async () => {
    const { taskId } = await approved();
    await own.openReroute({ ...wanted(taskId), ...(await answered(taskId, 'reroute')) });
    return {
      input: { taskId, isRefused: true },
      seen: async () => [await taskOf(taskId), await itemsOf(taskId)],
      once: [[{ changing: null, isCancelled: false }], isOpenAgain],
    };
  },
};
