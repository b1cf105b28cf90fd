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
import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import type { PharmacyOrder } from '../../activities/orchestrator/pharmacy.js';
import type { HeldTask, RerouteActivities } from '../../activities/orchestrator/reroutes.js';
import type { RerouteEnd, RerouteRequest } from '../../domain/orchestrator/reroute.js';
import { refillOf } from '../../domain/orchestrator/refills.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import { failureOf, localFirst, ordinary, ownTransactions } from '../proxies.js';
import { approvePrescription } from './approve-prescription.js';
import { askForOrder } from './ask-for-order.js';
import { ship } from './pipeline.js';
import { processRefill } from './process-refill.js';

const records = ownTransactions<RerouteActivities>();
// Another run is at the task: it is waited for, however long it takes.
const turns = localFirst<RerouteActivities>({
  startToCloseTimeout: '15 s',
  retry: { initialInterval: '250 ms', maximumInterval: '2 s' },
});
// The first order is given back by then, so nothing ends this but the router's answer.
const router = ordinary<RerouteActivities>({
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
});
const reads = localFirst<PatientActivities>({
  startToCloseTimeout: '5500 ms',
  retry: { maximumAttempts: 20, maximumInterval: '5 minutes' },
});

/**
 * Moves the order of a task to another pharmacy (D105): the first pharmacy gives it back, then one order is made at the
 * other under the task's next reference, and charge, refills and task go on with it. At no moment are there two.
 * @throws NotFound, TaskConflict when there is nothing to move
 */
export async function rerouteOrder(request: RerouteRequest): Promise<RerouteEnd> {
  return CancellationScope.nonCancellable(() => move(request));
}

async function move(request: RerouteRequest): Promise<RerouteEnd> {
  const { reference: taskId, pharmacy } = request;
  setCurrentDetails('**A run of the task is waited for**, if one is under way.');
  const task = await turns('Take the task').openReroute(request);
  const isUnderWay = isPlacing(task, pharmacy);
  const references = task.references.filter((reference) => !isUnderWay || reference !== task.live?.reference);
  const checked = await check(task, { references, live: isUnderWay ? null : task.live, pharmacy });
  if ('refusal' in checked) {
    await records('Leave the order where it is').endReroute({ taskId });
    setCurrentDetails(`**Not moved:** ${checked.refusal}. The order is as it was.`);
    return { state: 'unfillable', error: checked.refusal };
  }
  if (!isUnderWay) {
    const denial = await giveBackFirst(request, task);
    if (denial !== undefined) {
      setCurrentDetails(`**Not given back:** ${denial}. The order is as it was.`);
      return { state: 'denied', reason: denial };
    }
  }
  const { reference } = await records('The reference of the new order').moveReference({
    taskId,
    pharmacy,
    freed: null,
  });
  const answer = await place(request, { source: checked.source, reference });
  if ('refusal' in answer) {
    const { workflowId } = workflowInfo();
    const freed = { taskId, reference, submissionId: null, workflowId };
    await records('No pharmacy has the order').recordNotTaken(freed);
    setCurrentDetails(`**${pharmacy} does not take it:** ${answer.refusal}. There is no order now.`);
    return { state: 'rejected', error: answer.refusal };
  }
  const { placed } = answer;
  await records('Go on with the new order').recordMoved({
    taskId,
    reference,
    emrPatientId: task.run.emrPatientId,
    ...placed,
  });
  await (task.run.isFailed ? resumeRun(taskId, task, placed) : shipAgain(taskId, task, placed));
  await records('Let others at the task').endReroute({ taskId });
  setCurrentDetails(`**Moved** to ${pharmacy} as order ${reference}.`);
  return { state: 'moved', submissionId: placed.submissionId, pharmacy, reference };
}

/**
 * An earlier run of this has taken the reference already: the first order is given back, and the new one may be made. Of a
 * task that has failed what follows the order is still to be done then.
 */
const isPlacing = ({ live, run }: HeldTask, pharmacy: Pharmacy): boolean =>
  live !== null && live.n > 1 && live.pharmacy === pharmacy && (live.submissionId === null || run.isFailed);

async function check(
  task: HeldTask,
  { live, ...wanted }: { references: string[]; live: HeldTask['live']; pharmacy: Pharmacy },
) {
  try {
    return await router('Can the pharmacy fill it?').checkReroute({
      ...wanted,
      live: live?.reference ?? null,
    });
  } catch (error) {
    const [taskId = ''] = task.references.slice(-1);
    await records('Leave the order where it is').endReroute({ taskId });
    throw error;
  }
}

/**
 * Has the first pharmacy give the order back, if there is one. It is free when the pharmacy says so, or has rejected it;
 * and where nobody knew of it, when it turns out not to exist.
 * @returns the code of a denial
 */
async function giveBackFirst(request: RerouteRequest, { run, live }: HeldTask): Promise<string | undefined> {
  const { reference: taskId, pharmacy } = request;
  if (!live) return undefined;
  const answer = await askForOrder({ reference: live.reference, reason: 'Moved to another pharmacy' }, () =>
    continueAsNew<typeof rerouteOrder>(request),
  );
  const isFree = answer.state !== 'denied' || (run.isFailed && answer.reason === 'not_found');
  if (!isFree) {
    await records('Leave the order where it is').endReroute({ taskId });
    return answer.reason;
  }
  const submissionId = answer.state === 'none' ? null : answer.submissionId;
  const freed = { reference: live.reference, submissionId };
  await records('Take the next reference').moveReference({ taskId, pharmacy, freed });
  return undefined;
}

/** Orders at the new pharmacy, until it is known what came of it: the same request under its key, however often. */
async function place(request: RerouteRequest, order: { source: string; reference: string }) {
  const { pharmacy } = request;
  for (let pauseSeconds = 15; ; pauseSeconds = Math.min(4 * pauseSeconds, 3_600)) {
    setCurrentDetails(`Waiting for **${pharmacy}** to take the order.`);
    const answer = await router(`Order at ${pharmacy}`).placeAgain({ ...order, pharmacy });
    if (!('unknown' in answer)) return answer;
    setCurrentDetails(
      `**Nobody knows whether ${pharmacy} has the order.** The router finds out; it is asked again in ${pauseSeconds} s. There is no other order.`,
    );
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof rerouteOrder>(request);
    await sleep(`${pauseSeconds} s`);
  }
}

/** Of a task that was carried through only the shipment is another. */
async function shipAgain(reference: string, { run }: HeldTask, placed: PharmacyOrder): Promise<void> {
  const { id: runId, emrPatientId } = run;
  try {
    await ship('Create shipment', { runId, reference, emrPatientId }, placed, () =>
      reads('Find patient in EMR').fetchPatient({ emrPatientId, isOrdered: true }),
    );
  } catch (error) {
    setCurrentDetails(`**Moved**, but the shipment could not be made: ${failureOf(error).message}`);
  }
}

/** A run that failed by a rejection goes on with the new order, in a new run of the task: it is charged and told there. */
async function resumeRun(reference: string, { run }: HeldTask, placed: PharmacyOrder): Promise<void> {
  const { workflowId, taskId, medication, emrPatientId, dosage, detailsHash, patientName, state } = run;
  const settled = {
    placed,
    patientName,
    state,
    isMoved: true,
    ...(run.requestedBy === null ? {} : { requestedBy: run.requestedBy }),
  };
  const order = { medication, emrPatientId, ...(dosage === null ? {} : { dosage }), settled };
  const options = {
    workflowId,
    // What is under way is not broken off with this run.
    parentClosePolicy: ParentClosePolicy.ABANDON,
    staticSummary: `Carry on ${medication} · ${reference}`,
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
      // Somebody approves it at this moment, and is refused: then it is our turn.
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) return;
      await sleep('1 s');
    }
  }
}
