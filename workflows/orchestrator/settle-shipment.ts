import { setCurrentDetails, sleep } from '@temporalio/workflow';
import type { FailedShipment, LabelActivities } from '../../activities/orchestrator/lost-labels.js';
import type { LabelRequest, ShipmentActivities } from '../../activities/orchestrator/shipments.js';
import { failureTypes } from '../../domain/failures.js';
import { failureOf, ordinary, ownTransactions } from '../proxies.js';
import { Retries } from '../stuck.js';

/** A label that was asked for, and may have been made. */
export type LostLabel = LabelRequest & {
  shipment: Parameters<ShipmentActivities['shipOrder']>[0]['shipment'];
  /** The run that could not make it. */
  runId: string;
  /** Epoch milliseconds. */
  lostAtMs: number;
};

// One request each time, at the pace of an unanswered charge.
const shipping = ordinary<LabelActivities>({
  startToCloseTimeout: '10 s',
  retry: { maximumAttempts: 1 },
});
const records = ownTransactions<LabelActivities>();

/**
 * Finds out about a label whose answers were lost, by the same request under its key, so that there is at most one
 * (D114), and records it. Asked in vain or refused, a person is told. Ends early when it is on record by now, or the
 * order is at its end.
 */
export async function settleShipment(lost: LostLabel): Promise<'recorded' | 'over' | 'given up'> {
  const { order, patient, shipment, runId } = lost;
  const { submissionId, taskId: reference } = shipment;
  let reason: FailedShipment['reason'] = 'unanswered';
  const retries = new Retries();
  const { looksAtMs } = await records('Plan the asking').planLabelLooks({ lostAtMs: lost.lostAtMs });
  for (const lookAtMs of looksAtMs) {
    setCurrentDetails(
      [
        '**A label whose answers were lost.** It may have been made.',
        `The same request is made under its key at ${new Date(lookAtMs).toISOString()}: there is one label at most.`,
      ].join('\n\n'),
    );
    const waitMs = lookAtMs - Date.now();
    if (waitMs > 0) {
      retries.failed({ step: 'shipment', pauseMs: waitMs, since: lost.lostAtMs });
      await sleep(waitMs);
    }
    if (!(await records('Look whether the order needs it').needsLabel({ submissionId }))) {
      retries.succeeded();
      setCurrentDetails('**Nothing to settle:** the label is on record, or the order is at its end.');
      return 'over';
    }
    try {
      const label = await shipping('Ask for the label again').createLabel({ order, patient });
      await records('Record the label').recordSettledLabel({ runId, shipment: { ...shipment, label } });
      retries.succeeded();
      setCurrentDetails('**Settled:** the label is on record.');
      return 'recorded';
    } catch (error) {
      if (failureOf(error).type === failureTypes.unavailable) continue;
      reason = 'refused';
      break;
    }
  }
  retries.succeeded();
  await records('Have a person see to it').recordFailedShipment({ submissionId, reference, reason });
  setCurrentDetails(
    `**Given up,** ${reason}. A person decides what becomes of it: work item \`shipment_failed\`.`,
  );
  return 'given up';
}
