import {
  ApplicationFailure,
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { ChargeInput, PaymentActivities } from '../../activities/orchestrator/payments.js';
import { failureTypes } from '../../domain/failures.js';
import { settlePaymentWorkflowId } from '../ids.js';
import { failureOf, ordinary, ownTransactions } from '../proxies.js';
import { settlePayment, type UnansweredCharge } from './settle-payment.js';

// Three calls of 4 s each to the processor (D34).
const processor = ordinary<PaymentActivities>({
  startToCloseTimeout: '4500 ms',
  retry: { maximumAttempts: 3, initialInterval: '500 ms' },
});
const records = ownTransactions<PaymentActivities>();

/**
 * Charges the saved card once: the amount is fixed first, then charged, then the verdict recorded (D37). A charge
 * that is not answered is followed up by a run of its own.
 * @throws when nothing was charged, or nobody knows yet
 */
export async function chargeSavedCard(title: string, task: Omit<ChargeInput, 'coupon'>): Promise<void> {
  let opened = await records(`${title}: fix the amount`).openCharge(task);
  if (opened.kind === 'coupon') {
    const coupon = await processor(`${title}: check the coupon`)
      .findCoupon(opened)
      .then(({ coupon }) => coupon)
      .catch(() => null); // Nobody is charged more than was agreed: without a word on the coupon, nothing.
    opened = await records(`${title}: fix the amount`).openCharge({ ...task, coupon });
  }
  if (opened.kind !== 'charge') return;
  const { attempt, charge } = opened;
  // After a reset, what was the first attempt may lie long back: the charge is looked for.
  const { runId, firstExecutionRunId } = workflowInfo();
  const isFirst = opened.isFirst && runId === firstExecutionRunId;
  const { taskId } = task;
  try {
    const outcome = await processor(title).chargeCard({ charge, isFirst });
    await records(`${title}: record the verdict`).recordPayment({ taskId, attempt, outcome });
    if (outcome.status === 'succeeded') return;
    throw ApplicationFailure.nonRetryable(`Card declined: ${outcome.reason}`, failureTypes.declined);
  } catch (error) {
    const { type, message } = failureOf(error);
    if (type === failureTypes.unavailable) await followUp({ attempt, charge });
    if (type === failureTypes.rejected) {
      const outcome = { status: 'failed' as const, paymentIntentId: null, reason: message };
      await records(`${title}: record the refusal`).recordPayment({ taskId, attempt, outcome });
    }
    throw error;
  }
}

async function followUp(unanswered: UnansweredCharge): Promise<void> {
  const { attempt, charge } = unanswered;
  await startChild(settlePayment, {
    workflowId: settlePaymentWorkflowId(workflowInfo().workflowId, attempt),
    args: [unanswered],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    cancellationType: ChildWorkflowCancellationType.ABANDON,
    staticSummary: `Find out what became of charge ${attempt} of task ${charge.taskId}`,
  });
}
