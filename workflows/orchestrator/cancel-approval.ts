import {
  ApplicationFailure,
  CancellationScope,
  condition,
  ContinueAsNew,
  continueAsNew,
  getExternalWorkflowHandle,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { CancellationActivities } from '../../activities/orchestrator/cancellations.js';
import type { ReplacementActivities } from '../../activities/orchestrator/replacements.js';
import { failureTypes } from '../../domain/failures.js';
import type { CancellationRequest } from '../../domain/orchestrator/cancellation.js';
import type { CancelledOrder } from '../../domain/orchestrator/shipments.js';
import { orderCancelledSignal } from '../messages.js';
import { failureOf, ownTransactions } from '../proxies.js';
import { askForOrder } from './ask-for-order.js';
import { giveBack } from './give-back.js';
import { notifying, patientBriefly, taskTurn } from './proxies.js';

export interface TakingBack {
  /** Absent if the pharmacy cancelled by itself; a signal then names the order. */
  asked?: CancellationRequest;
  /** Orders that signals have named before, for a run that continues as new. */
  cancelled?: CancelledOrder[];
}

const records = ownTransactions<CancellationActivities & ReplacementActivities>();
const turns = taskTurn<CancellationActivities & ReplacementActivities>();

/**
 * Cancels the approval of a task (D104): cancels a run that has not ordered yet, or waits for its end. If the pharmacy
 * then cancels the order, the charge is refunded. An order that a pharmacy cancels by itself is handled the same way, and
 * so is a replacement that it does not have (D138).
 * Replacements that have not shipped are cancelled whatever becomes of the first order (D120).
 * @throws NotFound, TaskConflict if there is nothing to cancel
 */
export async function cancelApproval({ asked, cancelled: earlier = [] }: TakingBack): Promise<void> {
  const cancelled: CancelledOrder[] = [...earlier];
  setHandler(orderCancelledSignal, (order) => void cancelled.push(order));
  return CancellationScope.nonCancellable(async () => {
    let unanswered: CancellationRequest | undefined;
    try {
      if (asked) await takeBack(asked);
      else await condition(() => cancelled.length > 0, '1 minute');
    } catch (error) {
      if (error instanceof ContinueAsNew) unanswered = asked;
      throw error;
    } finally {
      for (let order = cancelled.shift(); order; order = cancelled.shift())
        await followPharmacy(order, { asked: unanswered, cancelled });
    }
  });
}

async function takeBack(asked: CancellationRequest): Promise<void> {
  const { reference: taskId, reason } = asked;
  const { task } = await turns('Take the task').openCancellation(asked);
  if (!task) return;
  if (task.runs !== null) {
    setCurrentDetails('**Cancelling the run of the task**, or waiting for it if it has ordered already.');
    // The run obeys before step 4 only; the task's record shows the result.
    void getExternalWorkflowHandle(task.runs)
      .cancel()
      .catch(() => undefined);
  }
  const order = await turns('Wait for the run of the task').findOrderAtEnd({ taskId });
  if (order.state === 'none') return endWithoutOrder(asked);
  const startAnew = () => continueAsNew<typeof cancelApproval>({ asked });
  await takeBackReplacements(taskId, reason, startAnew);
  // Only an order that the pharmacy cancels is reported, which notifies the patient.
  const endWithoutReport = async (submissionId: string | null) => {
    await records('Cancel the task').recordCancelled({ taskId, submissionId });
    await giveBack(taskId);
    await notifyPatient(task.emrPatientId, { orderNumber: taskId, reason });
  };
  if (order.state !== 'ordered') return endWithoutReport(null);
  const answer = await askForOrder({ reference: order.reference, reason }, startAnew);
  switch (answer.state) {
    case 'none':
      return endWithoutOrder(asked);
    case 'denied':
      setCurrentDetails(`**Denied:** ${answer.reason}. The approval stays.`);
      await records('Record the denial').recordDenied({ taskId, reason: answer.reason });
      return;
    case 'missing':
      return endWithoutReport(answer.submissionId);
    case 'approved':
      await records('Cancel the task').recordCancelled({ taskId, submissionId: answer.submissionId });
      await giveBack(taskId);
  }
}

/** Cancels the replacements that have not shipped, and refunds their own charges. The first order does not matter. */
async function takeBackReplacements(taskId: string, reason: string, startAnew: () => Promise<never>) {
  for (const { reference, isCancelled } of await turns('Find the replacements').findReplacements({
    taskId,
  })) {
    if (!isCancelled) {
      const { state } = await askForOrder({ reference, reason }, startAnew);
      if (state !== 'approved' && state !== 'missing') continue;
      await records('Cancel the replacement').recordReplacementCancelled({ reference });
    }
    await giveBack(reference);
  }
}

/** Cancels a task that has no order if the request says so. The patient heard nothing of it, so hears nothing now. */
async function endWithoutOrder({ reference: taskId, withoutOrder }: CancellationRequest): Promise<void> {
  if (withoutOrder !== true) return rejectRequest(taskId);
  await records('Cancel the task').recordCancelled({ taskId, submissionId: null });
  await giveBack(taskId);
}

/** @throws TaskConflict with the text of D101 */
async function rejectRequest(taskId: string): Promise<never> {
  await records('Reject the request').forgetCancellation({ taskId });
  setCurrentDetails('**There is no order to cancel.** The task is unchanged.');
  throw ApplicationFailure.nonRetryable('There is no order to cancel', failureTypes.taskConflict);
}

/** @param rest what else this run has to do; a run that continues as new takes it along */
async function followPharmacy(
  order: CancelledOrder,
  { asked, cancelled }: { asked: CancellationRequest | undefined; cancelled: readonly CancelledOrder[] },
): Promise<void> {
  const startAnew = () =>
    continueAsNew<typeof cancelApproval>({ ...(asked && { asked }), cancelled: [order, ...cancelled] });
  if (order.isMissing) {
    const { reference } = order;
    const answer = await askForOrder({ reference, reason: 'The pharmacy does not have it' }, startAnew);
    if (answer.state === 'denied') {
      setCurrentDetails(`**Not cancelled:** ${answer.reason}. Order ${reference} stays.`);
      return;
    }
  }
  const { isCancelled } = await turns("Record the pharmacy's cancellation").recordPharmacyCancelled(order);
  if (!isCancelled) return;
  await giveBack(order.heldBy);
  await takeBackReplacements(order.heldBy, 'The pharmacy cancelled the order', startAnew);
}

async function notifyPatient(emrPatientId: string, variables: { orderNumber: string; reason: string }) {
  try {
    const contact = await patientBriefly('Find patient in EMR').fetchContact({ emrPatientId });
    const reference = variables.orderNumber;
    await notifying('Notify patient').notifyPatient({
      type: 'order_canceled',
      reference,
      contact,
      variables,
    });
  } catch (error) {
    const { type, message } = failureOf(error);
    if (type !== failureTypes.notFound)
      setCurrentDetails(`**Cancelled**, the patient was not notified: ${message}`);
  }
}
