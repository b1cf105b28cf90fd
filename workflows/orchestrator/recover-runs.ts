import { ownTaskId } from '../../domain/clients.js';
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
import type { ReplacementActivities } from '../../activities/orchestrator/replacements.js';
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

/** The retries of one page run concurrently. */
const pageSize = 20;
/** About 5,000 history events per run. */
const pagesPerRun = 10;

// No local activities, since concurrent ones may not replay.
const records = ordinary<BulkRetryActivities & LabelActivities>({
  startToCloseTimeout: '15 s',
  retry: { maximumInterval: '10 s' },
});
const services = ordinary<PatientActivities & ReplacementActivities & LabelActivities>({
  startToCloseTimeout: '5500 ms',
  retry: { maximumAttempts: 3, initialInterval: '500 ms' },
});
const messages = ordinary<NotificationActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
  retry: { maximumAttempts: 3 },
});

/**
 * Bulk retry of failed runs at the requested pace (D112). It skips a run that was approved, denied, cancelled or
 * completed since, and a refill that is not due. The table has all results, so a new run can resume a terminated one.
 * Each retry uses the workflow id, the claim and the idempotency keys of the first run, so nothing is ordered or charged
 * twice.
 */
export async function recoverRuns(recoveryId: string): Promise<void> {
  for (let page = 0; page < pagesPerRun; page += 1) {
    const { progress, perMinute, positions } = await CancellationScope.nonCancellable(() =>
      records('Read the next page').readTurns({ recoveryId, size: pageSize }),
    );
    show(progress);
    if (positions.length === 0 || progress.state !== 'running') return end(recoveryId, 'completed');
    await CancellationScope.nonCancellable(() => runPage(recoveryId, positions, perMinute));
    if (CancellationScope.current().consideredCancelled) return end(recoveryId, 'cancelled');
  }
  return continueAsNew<typeof recoverRuns>(recoveryId);
}

/** Changes nothing after a cancellation, which is already recorded. */
const end = (recoveryId: string, state: 'completed' | 'cancelled'): Promise<void> =>
  CancellationScope.nonCancellable(async () => {
    await records('Record the end').endRecovery({ recoveryId, state });
    const { progress } = await records('Read the results').readTurns({ recoveryId, size: 0 });
    show(progress);
  });

function show({ state, selected, done, succeeded, failed, skipped }: BulkRetryProgress): void {
  const what = { running: 'Running', completed: 'Done', cancelled: 'Cancelled' }[state];
  setCurrentDetails(
    `**${what}:** ${done} of ${selected}. ${succeeded} succeeded, ${failed} failed, ${skipped} were skipped.`,
  );
}

async function runPage(recoveryId: string, positions: number[], perMinute: number): Promise<void> {
  const retries: Promise<void>[] = [];
  const page = { isStopped: false };
  for (const position of positions) {
    await sleep(Math.ceil(60_000 / perMinute));
    if (page.isStopped) break;
    retries.push(
      retryOne(recoveryId, position).then((outcome) => {
        if (outcome === 'stop') page.isStopped = true;
      }),
    );
  }
  await Promise.all(retries);
}

async function retryOne(recoveryId: string, position: number): Promise<'done' | 'stop'> {
  const failed = await records('Read the failed run').readFailed({ recoveryId, position });
  if (failed === 'stop') return failed;
  const outcome = failed === 'skip' ? 'skipped' : await retryStep(failed);
  await records('Record the outcome').recordRecovered({ recoveryId, position, outcome });
  return 'done';
}

async function retryStep(failed: Failed): Promise<RetriedOutcome | 'charged'> {
  try {
    switch (failed.step) {
      case 'payment':
        return await charge(failed);
      case 'shipment':
        return await ship(failed);
      case 'notification':
        return await notify(failed);
      default:
        return await approve(failed);
    }
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'skipped';
    log.info('the retry failed', { reason: failureOf(error).message });
    return 'failed';
  }
}

/** Starts the same approval, or refill, under the same id. Its claim decides if it may run. */
async function approve(failed: Failed): Promise<'succeeded' | 'skipped'> {
  const { workflowId, reference, taskId, detailsHash, medication, emrPatientId, dosage, dueOn, requestedBy } =
    failed;
  const order = { medication, emrPatientId, ...(dosage === null ? {} : { dosage }) };
  const options = {
    workflowId,
    parentClosePolicy: ParentClosePolicy.ABANDON,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
    staticSummary: `Retry ${medication} · ${ownTaskId(reference)}`,
    typedSearchAttributes: [{ key: rxTask, value: ownTaskId(taskId) }],
  };
  const refill = failed.kind === 'refill' ? refillOf(reference) : undefined;
  try {
    await (refill
      ? executeChild(processRefill, {
          ...options,
          args: [{ ...refill, ...order, dueOn, requestedBy }],
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
    const type = cause instanceof ApplicationFailure ? cause.type : undefined;
    // Since the selection it was approved or cancelled, or the refill was moved or skipped.
    if (type === failureTypes.taskConflict || type === failureTypes.notDue) return 'skipped';
    throw error;
  }
}

/** The caller of the bulk retry counts as the approver (D88). */
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

/** The same workflow id as an operator's retry (D85), so concurrent ones share one charge. */
async function charge(failed: Failed): Promise<'charged'> {
  const { reference, referencePart, taskId, emrPatientId, priceCents, charge, requestedBy } = failed;
  await executeChild(retryCharge, {
    workflowId: retryChargeWorkflowId(referencePart, (charge?.attempt ?? 0) + 1),
    args: [{ taskId: reference, emrPatientId, priceCents, requestedBy }],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    staticSummary: `Retry the charge of task ${ownTaskId(reference)}`,
    typedSearchAttributes: [{ key: rxTask, value: ownTaskId(taskId) }],
  });
  return 'charged';
}

/** Requests the label under its first key, at the address that was ordered, so that at most one exists (D114). */
async function ship({ order, emrPatientId, reference, runId }: Failed): Promise<RetriedOutcome> {
  if (!order) return 'failed';
  const { submissionId, pharmacy } = order;
  const shipment = { submissionId, taskId: reference, emrPatientId, pharmacy };
  if (!usesOurLabel(pharmacy)) {
    await records('Record the shipment').recordSettledLabel({ runId, shipment });
    return 'succeeded';
  }
  const patient = await services('Read the address').readAddressee({ submissionId });
  const label = await services('Create shipment').createLabel({ order, patient });
  await records('Record the label').recordSettledLabel({ runId, shipment: { ...shipment, label } });
  return 'succeeded';
}

/**
 * Sends the message under its first key, since it may have been sent. If the notification service says that it was
 * not, the record gives the next key, so that concurrent bulk retries send one message.
 */
async function notify(failed: Failed): Promise<RetriedOutcome> {
  const { order, emrPatientId, runId, noticeAttempt, displayName: medication } = failed;
  if (!order) return 'failed';
  const contact = await services('Find patient in EMR').fetchContact({ emrPatientId });
  for (const attempt of noticeAttempt === 0 ? [0, 1] : [noticeAttempt]) {
    try {
      await messages('Notify patient').notifyPatient({
        type: 'prescription_approved',
        reference: againReference(order.submissionId, attempt),
        contact,
        variables: { medication, pharmacyName: pharmacyTitle(order.pharmacy) },
      });
      await records('Record the notification').recordNotice({ runId, attempt, isSent: true });
      return 'succeeded';
    } catch (error) {
      const { type } = failureOf(error);
      if (type === failureTypes.unavailable || type === failureTypes.ownOutage) throw error;
      await records('Record the failed notification').recordNotice({ runId, attempt, isSent: false });
    }
  }
  return 'failed';
}
