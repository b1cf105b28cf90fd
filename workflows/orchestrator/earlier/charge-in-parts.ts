import { ApplicationFailure, patched, workflowInfo } from '@temporalio/workflow';
import type { EarlierActivities } from '../../../activities/orchestrator/earlier-steps.js';
import type { ChargeInput } from '../../../activities/orchestrator/open-charge.js';
import type { LostChargeActivities } from '../../../activities/orchestrator/lost-charges.js';
import { failureTypes } from '../../../domain/failures.js';
import { failureOf, ordinary, ownTransactions } from '../../proxies.js';
import { chargeSavedCard } from '../charge-saved-card.js';
import { settleLater } from '../settle-payment.js';

// Three calls of 4 s each to the processor (D34).
const processor = ordinary<EarlierActivities>({
  startToCloseTimeout: '4500 ms',
  retry: { maximumAttempts: 3, initialInterval: '500 ms' },
});
const records = ownTransactions<EarlierActivities & LostChargeActivities>();

/** Charges the saved card as runs do that were begun before it was one activity. @throws as `chargeSavedCard` */
export async function chargeInParts(title: string, task: Omit<ChargeInput, 'coupon'>): Promise<void> {
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
    if (type === failureTypes.unavailable) await settleLater({ attempt, charge });
    if (type === failureTypes.rejected) {
      const outcome = { status: 'failed' as const, paymentIntentId: null, reason: message };
      await records(`${title}: record the refusal`).recordPayment({ taskId, attempt, outcome });
    }
    throw error;
  }
}

/** `chargeSavedCard` of a run that may have been begun before a charge was one activity. */
export const chargeAgain = (title: string, task: Parameters<typeof chargeSavedCard>[1]): Promise<void> =>
  patched('charge-in-one') ? chargeSavedCard(title, task) : chargeInParts(title, task);
