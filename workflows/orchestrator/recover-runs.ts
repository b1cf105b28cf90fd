import {
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowFailure,
  continueAsNew,
  executeChild,
  log,
  ParentClosePolicy,
  setCurrentDetails,
  sleep,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { LabelActivities } from '../../activities/orchestrator/lost-labels.js';
import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import type { Failed, BulkRetryActivities } from '../../activities/orchestrator/bulk-retry.js';
import type { NotificationActivities } from '../../activities/orchestrator/notifications.js';
import { failureTypes } from '../../domain/failures.js';
import { againReference } from '../../domain/orchestrator/notices.js';
import type { RetriedOutcome, BulkRetryProgress } from '../../domain/orchestrator/bulk-retry.js';
import { refillOf } from '../../domain/orchestrator/refills.js';
import { pharmacyTitle, usesOurLabel } from '../../domain/pharmacies.js';
import { retryChargeWorkflowId } from '../ids.js';
import { failureOf, ordinary } from '../proxies.js';
import { rxTask } from '../search-attributes.js';
import { approvePrescription } from './approve-prescription.js';
import { processRefill } from './process-refill.js';
import { retryCharge } from './retry-charge.js';

/** Those of one page run side by side, each begun at its time. */
const pageSize = 20;
/** Pages per run of this workflow: some 5,000 events. */
const pagesPerRun = 10;

// Ordinary ones throughout: many are tried again side by side, and local activities side by side may not replay.
const records = ordinary<BulkRetryActivities & LabelActivities>({
  startToCloseTimeout: '15 s',
  retry: { maximumInterval: '10 s' },
});
// As in the steps themselves: what fails again is told as failed, and may be asked for again.
const parties = ordinary<PatientActivities & LabelActivities>({
  startToCloseTimeout: '5500 ms',
  retry: { maximumAttempts: 3, initialInterval: '500 ms' },
});
const messages = ordinary<NotificationActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
  retry: { maximumAttempts: 3 },
});

/**
 * Tries again what failed there and then (D112), one after the other at the pace that was asked for. Each is looked at
 * when its turn comes: what was approved, denied, cancelled or done since is left alone. What came of each stands in the
 * table, so that this may be ended and begun again at any point. Nothing is ordered or charged twice: what is begun has
 * the id, the claim and the keys of the first time.
 */
export async function recoverRuns(recoveryId: string): Promise<void> {
  for (let page = 0; page < pagesPerRun; page += 1) {
    const { progress, perMinute, positions } = await CancellationScope.nonCancellable(() =>
      records('Which are next?').readTurns({ recoveryId, size: pageSize }),
    );
    show(progress);
    if (positions.length === 0 || progress.state !== 'running') return end(recoveryId, 'completed');
    await CancellationScope.nonCancellable(() => runPage(recoveryId, positions, perMinute));
    if (CancellationScope.current().consideredCancelled) return end(recoveryId, 'cancelled');
  }
  return continueAsNew<typeof recoverRuns>(recoveryId);
}

/** Whoever has cancelled it has written so: then this changes nothing. */
const end = (recoveryId: string, state: 'completed' | 'cancelled'): Promise<void> =>
  CancellationScope.nonCancellable(async () => {
    await records('Record the end').endRecovery({ recoveryId, state });
    const { progress } = await records('What came of it?').readTurns({ recoveryId, size: 0 });
    show(progress);
  });

function show({ state, selected, done, succeeded, failed, skipped }: BulkRetryProgress): void {
  const what = { running: 'Under way', completed: 'Done', cancelled: 'Cancelled' }[state];
  setCurrentDetails(
    `**${what}:** ${done} of ${selected}. ${succeeded} succeeded, ${failed} failed, ${skipped} were skipped.`,
  );
}

async function runPage(recoveryId: string, positions: number[], perMinute: number): Promise<void> {
  const underWay: Promise<void>[] = [];
  const page = { isStopped: false };
  for (const position of positions) {
    await sleep(Math.ceil(60_000 / perMinute));
    if (page.isStopped) break;
    underWay.push(
      takeTurn(recoveryId, position).then((outcome) => {
        if (outcome === 'stop') page.isStopped = true;
      }),
    );
  }
  await Promise.all(underWay);
}

async function takeTurn(recoveryId: string, position: number): Promise<'done' | 'stop'> {
  const failed = await records('Is it still failed?').readFailed({ recoveryId, position });
  if (failed === 'stop') return failed;
  const outcome = failed === 'skip' ? failed : await tryAgain(failed);
  await records('Record what came of it').recordRecovered({
    recoveryId,
    position,
    outcome: outcome === 'skip' ? 'skipped' : outcome,
  });
  return 'done';
}

async function tryAgain(failed: Failed): Promise<RetriedOutcome | 'charged' | 'skip'> {
  try {
    switch (failed.step) {
      case 'payment':
        return await charge(failed);
      case 'shipment':
        return await ship(failed);
      case 'notification':
        return await tell(failed);
      default:
        return await approve(failed);
    }
  } catch (error) {
    // Somebody else is at it at this very moment.
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'skip';
    log.info('not recovered', { reason: failureOf(error).message });
    return 'failed';
  }
}

/** The same approval, or refill, under the same id: its claim decides whether it may run. */
async function approve(failed: Failed): Promise<'succeeded' | 'skip'> {
  const { workflowId, reference, taskId, detailsHash, medication, emrPatientId, dosage, requestedBy } =
    failed;
  const order = { medication, emrPatientId, ...(dosage === null ? {} : { dosage }) };
  const options = {
    workflowId,
    // What is under way is not broken off with this run.
    parentClosePolicy: ParentClosePolicy.ABANDON,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
    staticSummary: `Try ${medication} again · ${reference}`,
    typedSearchAttributes: [{ key: rxTask, value: taskId }],
  };
  const refill = failed.kind === 'refill' ? refillOf(reference) : undefined;
  try {
    await (refill
      ? executeChild(processRefill, {
          ...options,
          args: [{ ...refill, ...order, requestedBy }],
          taskQueue: 'refills',
        })
      : executeChild(approvePrescription, {
          ...options,
          args: [{ taskId, detailsHash, ...order, access: asked(requestedBy) }],
          memo: { purpose: detailsHash },
        }));
    return 'succeeded';
  } catch (error) {
    const cause = error instanceof ChildWorkflowFailure ? error.cause : undefined;
    // Denied or cancelled at this very moment.
    if (cause instanceof ApplicationFailure && cause.type === failureTypes.taskConflict) return 'skip';
    throw error;
  }
}

/** Who has asked for the recovery is who approves (D88). */
const asked = (key: string) => ({
  actor: key,
  actorKind: 'key' as const,
  action: 'prescription.approve' as const,
  record: null,
  organizationId: null,
  ip: null,
  userAgent: null,
  requestId: null,
  outcome: 'allowed' as const,
});

/** As an operator does who charges one (D85), under the same id: two at once share one try. */
async function charge(failed: Failed): Promise<'charged'> {
  const { reference, referencePart, taskId, emrPatientId, priceCents, charge, requestedBy } = failed;
  await executeChild(retryCharge, {
    workflowId: retryChargeWorkflowId(referencePart, (charge?.attempt ?? 0) + 1),
    args: [{ taskId: reference, emrPatientId, priceCents, requestedBy }],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    staticSummary: `Charge task ${reference} again`,
    typedSearchAttributes: [{ key: rxTask, value: taskId }],
  });
  return 'charged';
}

/** The label is asked for under the key of the first time, so that there is one at most (D114). */
async function ship({ order, emrPatientId, reference, runId }: Failed): Promise<RetriedOutcome> {
  if (!order) return 'failed';
  const { submissionId, pharmacy } = order;
  const shipment = { submissionId, taskId: reference, emrPatientId, pharmacy };
  if (!usesOurLabel(pharmacy)) {
    await records('Await the pharmacy').recordSettledLabel({ runId, shipment });
    return 'succeeded';
  }
  const patient = await parties('Find patient in EMR').fetchPatient({ emrPatientId, isOrdered: true });
  const label = await parties('Create shipment').createLabel({ order, patient });
  await records('Record the label').recordSettledLabel({ runId, shipment: { ...shipment, label } });
  return 'succeeded';
}

/**
 * The message goes out under the key of the first time, which may have been sent after all. Where the notification
 * service says that it was not, it goes out under the next key, which the record gives: two recoveries send one.
 */
async function tell(failed: Failed): Promise<RetriedOutcome> {
  const { order, emrPatientId, runId, noticeAttempt, displayName: medication } = failed;
  if (!order) return 'failed';
  const contact = await parties('Find patient in EMR').fetchContact({ emrPatientId });
  for (const attempt of noticeAttempt === 0 ? [0, 1] : [noticeAttempt]) {
    try {
      await messages('Notify patient').notifyPatient({
        type: 'prescription_approved',
        reference: againReference(order.submissionId, attempt),
        contact,
        variables: { medication, pharmacyName: pharmacyTitle(order.pharmacy) },
      });
      await records('The patient was told').recordNotice({ runId, attempt, isSent: true });
      return 'succeeded';
    } catch (error) {
      const { type } = failureOf(error);
      if (type === failureTypes.unavailable || type === failureTypes.ownOutage) throw error;
      await records('The patient was not told').recordNotice({ runId, attempt, isSent: false });
    }
  }
  return 'failed';
}
