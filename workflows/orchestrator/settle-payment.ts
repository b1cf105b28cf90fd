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

// The processor may be down for long, so lookups have no limit.
const lookups = ordinary<LostChargeActivities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '5 s', maximumInterval: '10 minutes' },
});
const records = ownTransactions<LostChargeActivities>();

/** Pauses before the lookups. A delayed request arrives within minutes; after the last lookup there is no charge. */
const looks = ['15 s', '1 minute', '5 minutes', '15 minutes', '1 hour'] as const;

/** Reconciles an unanswered charge with the processor. Never charges (D37). */
export async function settlePayment({ attempt, charge }: UnansweredCharge): Promise<string> {
  const { taskId } = charge;
  for (const pause of looks) {
    setCurrentDetails(`**Unanswered charge.** The next lookup follows in ${pause}. Nothing is charged here.`);
    await sleep(pause);
    const { outcome } = await lookups('Look the charge up').findCharge({ charge });
    if (outcome) {
      await records('Record the verdict').recordPayment({ taskId, attempt, outcome });
      setCurrentDetails(`**Reconciled:** the charge ${outcome.status}.`);
      return outcome.status;
    }
  }
  const outcome = { status: 'failed' as const, paymentIntentId: null, reason: neverReachedReason };
  await records('Record the verdict').recordPayment({ taskId, attempt, outcome });
  setCurrentDetails(
    '**Reconciled:** the charge never reached the processor. `rx payments retry` retries it.',
  );
  return outcome.status;
}

export async function startSettlePayment(unanswered: UnansweredCharge): Promise<void> {
  const { attempt, charge } = unanswered;
  await startChild(settlePayment, {
    workflowId: settlePaymentWorkflowId(workflowInfo().workflowId, attempt),
    args: [unanswered],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    cancellationType: ChildWorkflowCancellationType.ABANDON,
    staticSummary: `Reconcile charge ${attempt} of task ${charge.taskId}`,
  });
}
