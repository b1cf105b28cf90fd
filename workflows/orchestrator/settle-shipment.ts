import {
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  setCurrentDetails,
  sleep,
  startChild,
} from '@temporalio/workflow';
import type { FailedShipment, LabelActivities } from '../../activities/orchestrator/lost-labels.js';
import type { LabelRequest, ShipmentActivities } from '../../activities/orchestrator/shipments.js';
import { failureTypes } from '../../domain/failures.js';
import { settleShipmentWorkflowId } from '../ids.js';
import { failureOf, ordinary, ownTransactions } from '../proxies.js';
import { Retries } from '../stuck.js';

/** A label request whose answers were lost. */
type LostLabel = LabelRequest & {
  shipment: Parameters<ShipmentActivities['shipOrder']>[0]['shipment'];
  /** null for a replacement, which has no run on record. */
  runId: string | null;
  /** Epoch milliseconds. */
  lostAtMs: number;
};

const shipping = ordinary<LabelActivities>({
  startToCloseTimeout: '10 s',
  retry: { maximumAttempts: 1 },
});
const records = ownTransactions<LabelActivities>();

/**
 * Reconciles a label whose answers were lost: repeats the request under its key, so that at most one label exists
 * (D114). Opens a work item if the shipping service rejects it or never answers.
 */
export async function settleShipment(lost: LostLabel): Promise<'recorded' | 'over' | 'given up'> {
  const { order, patient, shipment, runId } = lost;
  const { submissionId, taskId: reference } = shipment;
  let reason: FailedShipment['reason'] = 'unanswered';
  const retries = new Retries();
  const { looksAtMs } = await records('Plan the retries').planLabelLooks({ lostAtMs: lost.lostAtMs });
  for (const lookAtMs of looksAtMs) {
    setCurrentDetails(
      `**The answers about a label were lost.** The same request under its key follows at ${new Date(lookAtMs).toISOString()}, so at most one label exists.`,
    );
    const waitMs = lookAtMs - Date.now();
    if (waitMs > 0) {
      retries.failed({ step: 'shipment', pauseMs: waitMs, since: lost.lostAtMs });
      await sleep(waitMs);
    }
    if (!(await records('Check that the order needs a label').needsLabel({ submissionId }))) {
      retries.succeeded();
      setCurrentDetails('**Nothing to reconcile:** the label is recorded, or the order has ended.');
      return 'over';
    }
    try {
      const label = await shipping('Request the label again').createLabel({ order, patient });
      await records('Record the label').recordSettledLabel({ runId, shipment: { ...shipment, label } });
      retries.succeeded();
      setCurrentDetails('**Reconciled:** the label is recorded.');
      return 'recorded';
    } catch (error) {
      if (failureOf(error).type === failureTypes.unavailable) continue;
      reason = 'refused';
      break;
    }
  }
  retries.succeeded();
  await records('Open a work item').recordFailedShipment({ submissionId, reference, reason });
  setCurrentDetails(`**Given up,** ${reason}. Work item \`shipment_failed\` is open.`);
  return 'given up';
}

export async function startSettleShipment(lost: LostLabel): Promise<void> {
  const { submissionId } = lost.shipment;
  await startChild(settleShipment, {
    workflowId: settleShipmentWorkflowId(submissionId),
    args: [lost],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    cancellationType: ChildWorkflowCancellationType.ABANDON,
    staticSummary: `Reconcile the label of order ${submissionId}`,
  });
}
