import {
  CancellationScope,
  continueAsNew,
  executeChild,
  ParentClosePolicy,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { LabelActivities } from '../../activities/orchestrator/lost-labels.js';
import type { PharmacyOrder } from '../../activities/orchestrator/pharmacy.js';
import type { ReplacementActivities } from '../../activities/orchestrator/replacements.js';
import type { HeldTask, RerouteActivities } from '../../activities/orchestrator/reroutes.js';
import { failureTypes } from '../../domain/failures.js';
import type { RerouteEnd, RerouteRequest } from '../../domain/orchestrator/reroute.js';
import { refillOf } from '../../domain/orchestrator/refills.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import { failureOf, ordinary, ownTransactions } from '../proxies.js';
import { approvePrescription } from './approve-prescription.js';
import { askForOrder } from './ask-for-order.js';
import type { SettledOrder } from './pipeline.js';
import { processRefill } from './process-refill.js';
import { taskTurn } from './proxies.js';
import { shipOrder } from './ship-order.js';

const records = ownTransactions<RerouteActivities & Pick<LabelActivities, 'recordFailedShipment'>>();
const turns = taskTurn<RerouteActivities>();
// The first order is cancelled by then, so only the router's answer ends the retries.
const router = ordinary<RerouteActivities & Pick<ReplacementActivities, 'readAddressee'>>({
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
});

/**
 * Moves the order of a task to another pharmacy or address (D105). The first pharmacy cancels it, then the other gets
 * one order under the task's next reference. There are never two orders.
 * @throws NotFound, TaskConflict if there is nothing to move
 */
export async function rerouteOrder(request: RerouteRequest): Promise<RerouteEnd> {
  return CancellationScope.nonCancellable(() => move(request));
}

async function move(request: RerouteRequest): Promise<RerouteEnd> {
  const { reference: taskId, pharmacy } = request;
  setCurrentDetails('**Waiting for the current run of the task**, if there is one.');
  const task = await turns('Claim the task').openReroute(request);
  if (task.run.isUnplaced) return orderFirst(request, task);
  const { shipTo } = task;
  const isUnderWay = isPlacing(task, pharmacy);
  const references = task.references.filter((reference) => !isUnderWay || reference !== task.live?.reference);
  const checked = await check(task, { references, live: isUnderWay ? null : task.live, pharmacy, shipTo });
  if ('refusal' in checked) {
    await records('Release the task').endReroute({ taskId, isRefused: true });
    setCurrentDetails(`**Not moved:** ${checked.refusal}. The order is unchanged.`);
    return { state: 'unfillable', error: checked.refusal };
  }
  if (!isUnderWay) {
    const denial = await giveBackFirst(request, task);
    if (denial !== undefined) {
      setCurrentDetails(`**Not cancelled:** ${denial}. The order is unchanged.`);
      return { state: 'denied', reason: denial };
    }
  }
  const { reference } = await records('Read the new reference').moveReference({
    taskId,
    pharmacy,
    shipTo,
    freed: null,
  });
  const answer = await place(request, { source: checked.source, reference, shipTo });
  if ('refusal' in answer) {
    const { workflowId } = workflowInfo();
    const freed = { taskId, reference, submissionId: null, workflowId };
    await records('Record the rejection').recordNotTaken(freed);
    setCurrentDetails(`**${pharmacy} rejected the order:** ${answer.refusal}. There is no order now.`);
    return { state: 'rejected', error: answer.refusal };
  }
  const { placed } = answer;
  await records('Record the new order').recordMoved({
    taskId,
    reference,
    emrPatientId: task.run.emrPatientId,
    ...placed,
  });
  await (task.run.isFailed ? resumeRun(taskId, task, placed) : shipAgain(taskId, task, placed));
  await records('Release the task').endReroute({ taskId });
  setCurrentDetails(`**Moved** to ${pharmacy} as order ${reference}.`);
  return { state: 'moved', submissionId: placed.submissionId, pharmacy, reference };
}

/**
 * Orders a refill that the router rejected without keeping it, at the pharmacy that a person named (D116). The refill's
 * own run orders, charges and counts it.
 */
async function orderFirst(request: RerouteRequest, task: HeldTask): Promise<RerouteEnd> {
  const { reference: taskId, pharmacy } = request;
  const { live, run } = task;
  const freed = live && live.pharmacy !== pharmacy ? { reference: live.reference, submissionId: null } : null;
  const { reference } = await records('Take the next reference').moveReference({ taskId, pharmacy, freed });
  setCurrentDetails(`Ordering at **${pharmacy}**.`);
  await runAgain(taskId, run, { isMoved: true });
  const end = await records('Record the outcome').recordPlaced({ taskId, reference, pharmacy });
  setCurrentDetails(`**${end.state === 'moved' ? 'Ordered' : 'Not ordered'}** at ${pharmacy}: ${end.state}.`);
  return end;
}

/**
 * An earlier run of this workflow took the reference: the first order is cancelled, and the new one may exist. Repeating
 * the steps from there finds that order, and its label.
 */
const isPlacing = ({ live, run, isOtherAddress }: HeldTask, pharmacy: Pharmacy): boolean =>
  live !== null &&
  !isOtherAddress &&
  !live.isMissing &&
  live.n > 1 &&
  live.pharmacy === pharmacy &&
  (live.submissionId === null || run.isFailed || live.isFromReroute);

async function check(
  task: HeldTask,
  { live, ...wanted }: Pick<HeldTask, 'references' | 'live' | 'shipTo'> & { pharmacy: Pharmacy },
) {
  try {
    return await router('Check the pharmacy').checkReroute({ ...wanted, live: live?.reference ?? null });
  } catch (error) {
    const [taskId = ''] = task.references.slice(-1);
    await records('Release the task').endReroute({ taskId, isRefused: true });
    throw error;
  }
}

/** Cancels the first order, if it exists. @returns the code of a denial */
async function giveBackFirst(
  request: RerouteRequest,
  { run, live, shipTo }: HeldTask,
): Promise<string | undefined> {
  const { reference: taskId, pharmacy } = request;
  if (!live) return undefined;
  const reason = `Moved to another ${shipTo ? 'address' : 'pharmacy'}`;
  const answer = await askForOrder({ reference: live.reference, reason }, () =>
    continueAsNew<typeof rerouteOrder>(request),
  );
  const isFree = answer.state !== 'denied' || (run.isFailed && answer.reason === 'not_found');
  if (!isFree) {
    await records('Release the task').endReroute({ taskId, isRefused: true });
    return answer.reason;
  }
  const submissionId = answer.state === 'none' ? null : answer.submissionId;
  const freed = { reference: live.reference, submissionId };
  await records('Take the next reference').moveReference({ taskId, pharmacy, shipTo, freed });
  return undefined;
}

/** Repeats the order under its key until the outcome is known. */
async function place(
  request: RerouteRequest,
  order: { source: string; reference: string; shipTo: HeldTask['shipTo'] },
) {
  const { pharmacy } = request;
  for (let pauseSeconds = 15; ; pauseSeconds = Math.min(4 * pauseSeconds, 3_600)) {
    setCurrentDetails(`Waiting for **${pharmacy}** to accept the order.`);
    const answer = await router(`Order at ${pharmacy}`).placeAgain({ ...order, pharmacy });
    if (!('unknown' in answer)) return answer;
    setCurrentDetails(
      `**The outcome of the order at ${pharmacy} is unknown.** The router asks; the next check follows in ${pauseSeconds} s. There is no other order.`,
    );
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof rerouteOrder>(request);
    await sleep(`${pauseSeconds} s`);
  }
}

/**
 * A completed task needs only a new shipment. A rejected label is a work item; lost answers are reconciled by a run of
 * their own (D114).
 */
async function shipAgain(reference: string, { run }: HeldTask, placed: PharmacyOrder): Promise<void> {
  const { id: runId, emrPatientId } = run;
  const { submissionId } = placed;
  try {
    await shipOrder('Create shipment', { runId, reference, emrPatientId }, placed, () =>
      router('Read the address').readAddressee({ submissionId }),
    );
  } catch (error) {
    const { type, message } = failureOf(error);
    if (type !== failureTypes.unavailable)
      await records('Open a work item').recordFailedShipment({ submissionId, reference, reason: 'refused' });
    setCurrentDetails(`**Moved**, but the shipment failed: ${message}`);
  }
}

/** After a rejection of the first order, a new run of the task resumes with the new order. */
async function resumeRun(reference: string, { run }: HeldTask, placed: PharmacyOrder): Promise<void> {
  const { patientName, state, requestedBy } = run;
  const settled = { placed, patientName, state, isMoved: true };
  await runAgain(reference, run, {
    settled: { ...settled, ...(requestedBy === null ? {} : { requestedBy }) },
  });
}

/** Runs the task again, as the run that holds it for the reroute. */
async function runAgain(
  reference: string,
  run: HeldTask['run'],
  how: { settled: SettledOrder } | { isMoved: true },
): Promise<void> {
  const { workflowId, taskId, medication, emrPatientId, dosage, detailsHash } = run;
  const order = { medication, emrPatientId, ...(dosage === null ? {} : { dosage }), ...how };
  const options = {
    workflowId,
    parentClosePolicy: ParentClosePolicy.ABANDON,
    staticSummary: `Resume ${medication} · ${reference}`,
  };
  const refill = refillOf(reference);
  for (;;) {
    try {
      await (refill
        ? executeChild(processRefill, { ...options, args: [{ ...refill, ...order }], taskQueue: 'refills' })
        : executeChild(approvePrescription, {
            ...options,
            args: [{ taskId, detailsHash, ...order }],
            memo: { purpose: detailsHash },
          }));
      return;
    } catch (error) {
      // A concurrent approval runs, and its claim fails; retry after it.
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) return;
      await sleep('1 s');
    }
  }
}
