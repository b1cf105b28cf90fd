import {
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  setCurrentDetails,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { LostChargeActivities, UnansweredCharge } from '../../activities/orchestrator/payments.js';
import { neverReachedReason } from '../../domain/orchestrator/dunning.js';
import { settlePaymentWorkflowId } from '../ids.js';
import { ordinary, ownTransactions } from '../proxies.js';

// The processor may be down for long: it is asked until it answers, up to ten minutes apart.
const lookups = ordinary<LostChargeActivities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '5 s', maximumInterval: '10 minutes' },
});
const records = ownTransactions<LostChargeActivities>();

/** When to look. A request still on its way arrives within minutes; after the last look there is no charge. */
const looks = ['15 s', '1 minute', '5 minutes', '15 minutes', '1 hour'] as const;

/** Finds out what became of a charge that was not answered, and records it. Never charges (D37). */
export async function settlePayment({ attempt, charge }: UnansweredCharge): Promise<string> {
  const { taskId } = charge;
  for (const pause of looks) {
    setCurrentDetails(
      `**Unanswered charge.** The processor is asked again in ${pause}. Nothing is charged here.`,
    );
    await sleep(pause);
    const { outcome } = await lookups('Look the charge up').findCharge({ charge });
    if (outcome) {
      await records('Record the verdict').recordPayment({ taskId, attempt, outcome });
      setCurrentDetails(`**Settled:** the charge ${outcome.status}.`);
      return outcome.status;
    }
  }
  const outcome = {
    status: 'failed' as const,
    paymentIntentId: null,
    reason: neverReachedReason,
  };
  await records('Record the verdict').recordPayment({ taskId, attempt, outcome });
  setCurrentDetails('**Settled:** the charge never reached the processor. `rx payments retry` charges anew.');
  return outcome.status;
}

/** Has a run of its own find out. */
export async function startSettlePayment(unanswered: UnansweredCharge): Promise<void> {
  const { attempt, charge } = unanswered;
  await startChild(settlePayment, {
    workflowId: settlePaymentWorkflowId(workflowInfo().workflowId, attempt),
    args: [unanswered],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    cancellationType: ChildWorkflowCancellationType.ABANDON,
    staticSummary: `Find out what became of charge ${attempt} of task ${charge.taskId}`,
  });
}
