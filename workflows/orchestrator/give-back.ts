import { setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { LostChargeActivities } from '../../activities/orchestrator/payments.js';
import type { OwedRefund, RefundActivities } from '../../activities/orchestrator/refunds.js';
import { failureTypes } from '../../domain/failures.js';
import { failureOf, ordinary, ownTransactions } from '../proxies.js';

const records = ownTransactions<RefundActivities & LostChargeActivities>();
// Only a rejection ends the retries, since the money is owed.
const processor = ordinary<RefundActivities & LostChargeActivities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '1 s', maximumInterval: '10 minutes' },
});

/** Pauses between the lookups of a charge in doubt; after the last one there is no charge (D37). */
const looks = ['5 s', '15 s', '1 minute', '5 minutes', '15 minutes', '1 hour'] as const;

/**
 * Refunds a cancelled task in full and once (D104), after any charge in doubt is reconciled. A rejected refund opens a
 * work item.
 */
export async function giveBack(taskId: string): Promise<void> {
  const owed = await reconcile(taskId);
  if (owed.kind !== 'refund') {
    setCurrentDetails('**Cancelled.** There is nothing to refund.');
    return;
  }

  const { makesUp } = owed.refund;
  try {
    const refundedCents = await processor('Refund the charge').refundCharge(owed.refund);
    await records('Record the refund').recordRefund({ taskId, refundedCents, makesUp });
    setCurrentDetails('**Cancelled and refunded.**');
  } catch (error) {
    const { type, message } = failureOf(error);
    if (type !== failureTypes.rejected) throw error;
    const { workflowId } = workflowInfo();
    await records('Open a work item').recordRefusedRefund({ taskId, workflowId });
    setCurrentDetails(
      `**Cancelled, but the refund was rejected:** ${message}. Work item \`refund_failed\` is open.`,
    );
  }
}

/** Waits until no charge is in doubt. */
async function reconcile(taskId: string): Promise<OwedRefund> {
  for (const pause of looks) {
    const owed = await records('Find the owed refund').findOwedRefund({ taskId });
    if (owed.kind !== 'doubt') return owed;
    if (await lookUp(taskId, owed)) continue;
    setCurrentDetails(`**Cancelled.** A charge is in doubt; the next lookup follows in ${pause}.`);
    await sleep(pause);
  }
  const owed = await records('Find the owed refund').findOwedRefund({ taskId });
  if (owed.kind !== 'doubt' || (await lookUp(taskId, owed)))
    return records('Find the owed refund').findOwedRefund({ taskId });
  const reason = 'the charge never reached the processor';
  const outcome = { status: 'failed' as const, paymentIntentId: null, reason };
  await records('Record the verdict').recordPayment({ taskId, attempt: owed.attempt, outcome });
  return { kind: 'nothing' };
}

/** @returns true if the processor knows the charge's outcome */
async function lookUp(taskId: string, { attempt, charge }: Extract<OwedRefund, { kind: 'doubt' }>) {
  const { outcome } = await processor('Look the charge up').findCharge({ charge });
  if (outcome) await records('Record the verdict').recordPayment({ taskId, attempt, outcome });
  return outcome !== undefined;
}
