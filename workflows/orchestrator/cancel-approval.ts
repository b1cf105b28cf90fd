import {
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { CancellationActivities } from '../../activities/orchestrator/cancellations.js';
import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import { failureTypes } from '../../domain/failures.js';
import type { CancellationRequest } from '../../domain/orchestrator/cancellation.js';
import type { CancelledOrder } from '../../domain/orchestrator/shipments.js';
import { orderCancelledSignal } from '../messages.js';
import { failureOf, localFirst, ownTransactions } from '../proxies.js';
import { askForOrder } from './ask-for-order.js';
import { giveBack } from './give-back.js';
import { notifying } from './notifying.js';

export interface TakingBack {
  /** Somebody asked; without it a pharmacy has cancelled by itself, and the run is signalled which order. */
  asked?: CancellationRequest;
}

const records = ownTransactions<CancellationActivities>();
// Another run is at the task, for a second or two mostly: it is waited for, however long it takes.
const turns = localFirst<CancellationActivities>({
  startToCloseTimeout: '15 s',
  retry: { initialInterval: '250 ms', maximumInterval: '2 s' },
});
const reads = localFirst<PatientActivities>({
  startToCloseTimeout: '3500 ms',
  retry: { maximumAttempts: 3, initialInterval: '500 ms' },
});

/**
 * Takes the approval of a task back (D104): a run that has not ordered yet is ended, any other is waited for; then the
 * pharmacy is asked for the order, and if it gives it back, all that the approval brought is undone. A pharmacy that
 * cancels by itself is followed the same way.
 * @returns whether a request was answered, and not only the pharmacy's own word followed
 * @throws NotFound, TaskConflict when there is nothing to take back
 */
export async function cancelApproval({ asked }: TakingBack): Promise<{ answered: boolean }> {
  const told: CancelledOrder[] = [];
  setHandler(orderCancelledSignal, (order) => void told.push(order));
  return CancellationScope.nonCancellable(async () => {
    try {
      if (asked) await takeBack(asked);
      else await condition(() => told.length > 0, '1 minute');
    } finally {
      for (let order = told.shift(); order; order = told.shift()) await followPharmacy(order);
    }
    return { answered: asked !== undefined };
  });
}

async function takeBack(asked: CancellationRequest): Promise<void> {
  const { reference: taskId, reason } = asked;
  const { task } = await turns('Take the task').openCancellation(asked);
  if (!task) return;
  if (task.runs !== null) {
    setCurrentDetails('**The run of the task is ended**, or waited for if it has ordered already.');
    // It ends by itself before step 4 only; what becomes of the request shows in the task's record.
    void getExternalWorkflowHandle(task.runs)
      .cancel()
      .catch(() => undefined);
  }
  const order = await turns('Wait for the run of the task').findOrderAtEnd({ taskId });
  if (order.state === 'none') return letGo(taskId);
  if (order.state !== 'ordered') {
    await records('Cancel the task').recordCancelled({ taskId, submissionId: null });
    await giveBack(taskId);
    // Of an order the pharmacy's word tells; where there was none nobody else does.
    await tellPatient(task.emrPatientId, { orderNumber: taskId, reason });
    return;
  }
  const answer = await askForOrder({ reference: order.reference, reason }, () =>
    continueAsNew<typeof cancelApproval>({ asked }),
  );
  switch (answer.state) {
    case 'none':
      return letGo(taskId);
    case 'denied':
      setCurrentDetails(`**Denied:** ${answer.reason}. Nothing is undone.`);
      await records('Record the denial').recordDenied({ taskId, reason: answer.reason });
      return;
    case 'approved':
      await records('Cancel the task').recordCancelled({ taskId, submissionId: answer.submissionId });
      await giveBack(taskId);
  }
}

/** @throws TaskConflict in the words of D101 */
async function letGo(taskId: string): Promise<never> {
  await records('Nothing to take back').forgetCancellation({ taskId });
  setCurrentDetails('**There is no order to cancel.** The task is as it was.');
  throw ApplicationFailure.nonRetryable('There is no order to cancel', failureTypes.taskConflict);
}

async function followPharmacy(order: CancelledOrder): Promise<void> {
  const { isCancelled } = await turns('The pharmacy has cancelled').recordPharmacyCancelled(order);
  if (isCancelled) await giveBack(order.heldBy);
}

async function tellPatient(emrPatientId: string, variables: { orderNumber: string; reason: string }) {
  try {
    const contact = await reads('Find patient in EMR').fetchContact({ emrPatientId });
    const reference = variables.orderNumber;
    await notifying('Tell the patient').notifyPatient({
      type: 'order_canceled',
      reference,
      contact,
      variables,
    });
  } catch (error) {
    const { type, message } = failureOf(error);
    if (type !== failureTypes.notFound)
      setCurrentDetails(`**Cancelled**, the patient was not told: ${message}`);
  }
}
