import { setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { LostChargeActivities } from '../../activities/orchestrator/payments.js';
import type { OwedRefund, RefundActivities } from '../../activities/orchestrator/refunds.js';
import { failureTypes } from '../../domain/failures.js';
import { failureOf, ordinary, ownTransactions } from '../proxies.js';

const records = ownTransactions<RefundActivities & LostChargeActivities>();
// The money is owed: only a refusal ends it. The processor may be down for long, and is asked until it answers.
const processor = ordinary<RefundActivities & LostChargeActivities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '1 s', maximumInterval: '10 minutes' },
});

/** When a charge in doubt is looked for; after the last look there is none (D37). */
const looks = ['5 s', '15 s', '1 minute', '5 minutes', '15 minutes', '1 hour'] as const;

/**
 * Gives what was paid for a cancelled task back, in full and once (D104). A charge that nobody knows of yet is waited for,
 * and given back once it is found; a refund that is refused for good is left to a person.
 */
export async function giveBack(taskId: string): Promise<void> {
  const owed = await settle(taskId);
  if (owed.kind !== 'refund') {
    setCurrentDetails('**Cancelled.** Nothing is to be given back.');
    return;
  }

  const { amountCents, ...refund } = owed.refund;
  try {
    await processor('Give the money back').refundCharge(refund);
    await records('Record the refund').recordRefund({ taskId, refundedCents: amountCents });
    setCurrentDetails('**Cancelled**, and what was paid is given back.');
  } catch (error) {
    const { type, message } = failureOf(error);
    if (type !== failureTypes.rejected) throw error;
    const { workflowId } = workflowInfo();
    await records('Leave the refund to a person').recordRefusedRefund({ taskId, workflowId });
    setCurrentDetails(
      `**Cancelled, but the refund was refused:** ${message}. The work item \`refund_failed\` waits for a person.`,
    );
  }
}

/** What is owed once no charge is in doubt any more. */
async function settle(taskId: string): Promise<OwedRefund> {
  for (const pause of looks) {
    const owed = await records('What was paid').findOwedRefund({ taskId });
    if (owed.kind !== 'doubt') return owed;
    if (await lookUp(taskId, owed)) continue;
    setCurrentDetails(
      `**Cancelled.** Whether it was charged is not known yet: the processor is asked again in ${pause}.`,
    );
    await sleep(pause);
  }
  const owed = await records('What was paid').findOwedRefund({ taskId });
  if (owed.kind !== 'doubt' || (await lookUp(taskId, owed)))
    return records('What was paid').findOwedRefund({ taskId });
  const reason = 'the charge never reached the processor';
  const outcome = { status: 'failed' as const, paymentIntentId: null, reason };
  await records('Record the verdict').recordPayment({ taskId, attempt: owed.attempt, outcome });
  return { kind: 'nothing' };
}

/** @returns whether the processor has said what became of the charge */
async function lookUp(taskId: string, { attempt, charge }: Extract<OwedRefund, { kind: 'doubt' }>) {
  const { outcome } = await processor('Look the charge up').findCharge({ charge });
  if (outcome) await records('Record the verdict').recordPayment({ taskId, attempt, outcome });
  return outcome !== undefined;
}
