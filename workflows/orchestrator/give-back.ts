import { setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { LostChargeActivities } from '../../activities/orchestrator/payments.js';
import type {
  FailedRefund,
  OwedRefund,
  OwnRefund,
  RefundActivities,
} from '../../activities/orchestrator/refunds.js';
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
 * Refunds the due amount of a task's charge, after any charge in doubt is reconciled. For a cancelled task that is the
 * whole charge, once (D104), else each requested part in turn (D135). A rejected refund of a cancelled task opens a
 * work item; a rejected part is recorded for its caller.
 */
export async function giveBack(taskId: string): Promise<void> {
  let hasParts = false;
  for (;;) {
    const owed = await reconcile(taskId);
    if (owed.kind !== 'refund') {
      if (!hasParts) setCurrentDetails('**There is nothing to refund.**');
      return;
    }
    await refund(taskId, owed.refund);
    if (owed.refund.part === null) return;
    hasParts = true;
  }
}

async function refund(taskId: string, owed: OwnRefund): Promise<void> {
  const { makesUp, part } = owed;
  try {
    setCurrentDetails('**Refunding the charge.** The call is retried until the processor answers.');
    const refundedCents = await processor('Refund the charge').refundCharge(owed);
    await records('Record the refund').recordRefund({ taskId, refundedCents, makesUp, part });
    setCurrentDetails(part === null ? '**Cancelled and refunded.**' : '**Refunded in part.**');
  } catch (error) {
    const { type, message, details } = failureOf(error);
    if (type !== failureTypes.rejected) throw error;
    if (part !== null) {
      await records('Record the rejection').recordRejectedPart({ taskId, part });
      setCurrentDetails(`**The processor rejected the refund:** ${message}. The charge stays as it is.`);
      return;
    }
    const { workflowId } = workflowInfo();
    const [failed] = details as [FailedRefund?];
    await records('Open a work item').recordRefusedRefund({ taskId, workflowId, failed });
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
