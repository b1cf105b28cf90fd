import type { SearchAttributePair } from '@temporalio/common';
import type { CancellationScope } from '@temporalio/workflow';
import {
  ApplicationFailure,
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { NotificationActivities } from '../../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import type {
  PharmacyActivities,
  PharmacyOrder,
  UnknownOrder,
} from '../../activities/orchestrator/pharmacy.js';
import type { PrescriberActivities } from '../../activities/orchestrator/prescribers.js';
import type { ShipmentActivities } from '../../activities/orchestrator/shipments.js';
import type { Outcome, TaskActivities } from '../../activities/orchestrator/tasks.js';
import { failureTypes } from '../../domain/failures.js';
import type { Placing } from '../../domain/orchestrator/reroute.js';
import type { MedicationConfig } from '../../domain/orchestrator/medications.js';
import { contactOf, type PatientDetails } from '../../domain/orderable-patient.js';
import { type PipelineResult, stepTitle } from '../../domain/orchestrator/pipeline.js';
import { pharmacyTitle, usesOurLabel } from '../../domain/pharmacies.js';
import { settleShipmentWorkflowId } from '../ids.js';
import { chargeSavedCard } from './charge-saved-card.js';
import { completedStepsQuery } from '../messages.js';
import { failureOf, localFirst, ownServices, ownTransactions, threeTries } from '../proxies.js';
import { rxMedication, rxPharmacy, rxState, rxSubmission } from '../search-attributes.js';
import { type LostLabel, settleShipment } from './settle-shipment.js';
import { StepFailure, StepLog } from './step-log.js';

export interface Order {
  /** What the run is recorded under. */
  taskId: string;
  /** The run's record. */
  runId: string;
  /** The router's reference of the order, and what is paid for under it: the task, or for a refill its number too (D30). */
  reference: string;
  medication: string;
  /** What its claim found for step 1; null: the medication is unknown. */
  config: MedicationConfig | null;
  emrPatientId: string;
  dosage?: string;
  /** The key of whoever asked for the run; nobody's where it was not over the API (D88). */
  requestedBy?: string | undefined;
  /** Where the order goes under another reference, which it does once it was moved to another pharmacy (D105). */
  placing?: Placing | undefined;
  /** The refill this is; an approval otherwise. */
  refill?: { scheduleId: string; n: number };
  /** Steps 1 to 4 were done by an earlier run, whose order turned out to exist (D114). */
  settled?: SettledOrder | undefined;
}

/** An order that exists after all, with what the run that made it knew of its patient. */
export interface SettledOrder {
  placed: PharmacyOrder;
  patientName: string;
  state: string;
  /** The key of whoever asked for that run. */
  requestedBy?: string | undefined;
  /** It is another order than that run's, at another pharmacy (D105). */
  isMoved?: boolean;
}

// Steps 2 and 3 read: about 20 s of transient faults (D34).
const reads = localFirst<PatientActivities & PrescriberActivities>({
  startToCloseTimeout: '5500 ms',
  retry: { maximumAttempts: 3, initialInterval: '1 s' },
});
// In a run that carries an order on nobody waits any more: an hour of faults is overcome.
const patientLater = localFirst<PatientActivities>({
  startToCloseTimeout: '5500 ms',
  retry: { maximumAttempts: 20, maximumInterval: '5 minutes' },
});
// Step 4: a call outlasts the pharmacy's whole budget, 20 s (D23). The heartbeat notices a lost worker early.
const pharmacy = ownServices<PharmacyActivities>({
  startToCloseTimeout: '25500 ms',
  heartbeatTimeout: '8 s',
});
// Step 6: about 12 s (D34); a database that is away is waited for.
const shipping = threeTries<ShipmentActivities>({
  startToCloseTimeout: '4500 ms',
  retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
});
// Step 7: a call outlasts the channels' own 10 s (D70); the heartbeat notices a lost worker early.
const notifying = localFirst<NotificationActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
  retry: { initialInterval: '1 s', maximumInterval: '10 s' },
});
const records = ownTransactions<TaskActivities>();

/**
 * The seven steps of an approval (page 1, Pipeline steps). Steps 1 to 4 block, 5 to 7 are each attempted and
 * only warn. Until step 4 an operator may cancel; from then on the order exists and the rest is carried through.
 * @param cancellable where the steps are taken that an operator's cancellation ends
 * @returns the recorded result; one with `success` false names the step that failed
 */
export async function runPipeline(order: Order, cancellable: CancellationScope): Promise<PipelineResult> {
  const facts: Facts = {};
  const steps = new StepLog(() => attributesOf(order, facts));
  const run = { order, facts, steps };
  setHandler(completedStepsQuery, () => steps.completed);
  try {
    const config = configOf(order);
    facts.config = config;
    steps.resume(['medication_config']);
    await (order.settled
      ? resumeAfterOrder(run, order.settled, config)
      : placeOrder(run, config, cancellable));
    steps.succeeded(`Ordered from ${facts.placed?.pharmacy} for ${facts.patient?.state}.`);
    return await closeCompleted(run);
  } catch (error) {
    return closeFailed(run, error);
  }
}

/** A run on its way. */
interface Run {
  order: Omit<Order, 'config'>;
  facts: Facts;
  steps: StepLog;
}

/** Step 1. @throws StepFailure */
function configOf({ config, medication }: Order): MedicationConfig {
  if (config) return config;
  throw new StepFailure('medication_config', `Unknown medication: ${medication}`, [], failureTypes.notFound);
}

/** Steps 2 to 7. @throws StepFailure of steps 2 to 4, after which there is no order, or nobody knows of it */
async function placeOrder(run: Run, config: MedicationConfig, cancellable: CancellationScope): Promise<void> {
  const { order, facts, steps } = run;
  const { emrPatientId, reference, medication, dosage, placing } = order;
  const { patient, prescriber } = await cancellable.run(async () => {
    const patient = await steps.block('patient_details', (title) =>
      reads(title).fetchPatient({ emrPatientId }),
    );
    const { firstName, lastName, address } = patient;
    facts.patient = { name: `${firstName} ${lastName}`, state: address.state };
    const prescriber = await steps.block('prescriber_resolution', (title) =>
      reads(title).resolvePrescriber({ state: address.state }),
    );
    return { patient, prescriber };
  });
  const placed = await steps.block('pharmacy_submission', (title) =>
    pharmacy(title).submitToPharmacy({
      sourceOrderId: placing?.reference ?? reference,
      pharmacy: placing?.pharmacy ?? undefined,
      patient,
      prescriber,
      medication,
      config,
      dosage,
    }),
  );
  await followOrder(run, config, placed, () => Promise.resolve(patient));
}

/** Steps 5 to 7 of an order that turned out to exist: the run that made it had done the others. */
async function resumeAfterOrder(run: Run, settled: SettledOrder, config: MedicationConfig): Promise<void> {
  const { order, facts, steps } = run;
  const { placed, patientName: name, state } = settled;
  steps.resume(['patient_details', 'prescriber_resolution', 'pharmacy_submission']);
  facts.patient = { name, state };
  // Asked for once, and not before the charge, which needs nothing of it.
  let patient: Promise<PatientDetails> | undefined;
  const readPatient = () =>
    (patient ??= patientLater('Find patient in EMR').fetchPatient({
      emrPatientId: order.emrPatientId,
      isOrdered: true,
    }));
  await followOrder(run, config, placed, readPatient);
}

/** Steps 5 to 7 of an order that exists: each is attempted, and what fails only warns. */
async function followOrder(
  { order, facts, steps }: Run,
  { displayName, priceCents }: MedicationConfig,
  placed: PharmacyOrder,
  readPatient: () => Promise<PatientDetails>,
): Promise<void> {
  const { reference: taskId, emrPatientId, requestedBy } = order;
  facts.placed = placed;
  await steps.attempt('payment', (title) =>
    chargeSavedCard(title, { taskId, emrPatientId, priceCents, requestedBy }),
  );
  const failed = await steps.attempt('shipment', (title) => ship(title, order, placed, readPatient));
  facts.isShipmentRefused = failed !== undefined && failed !== failureTypes.unavailable;
  await steps.attempt('notification', async (title) =>
    notifying(title).notifyPatient({
      type: 'prescription_approved',
      reference: placed.submissionId,
      contact: contactOf(await readPatient()),
      variables: { medication: displayName, pharmacyName: pharmacyTitle(placed.pharmacy) },
    }),
  );
}

/**
 * Step 6: a label at once for a pharmacy that uses ours; the others ship later and report it by callback (D38). A label whose answers were
 * lost may have been made: a run of its own finds out (D114).
 */
export async function ship(
  title: string,
  { reference, emrPatientId, runId }: Pick<Order, 'reference' | 'emrPatientId' | 'runId'>,
  placed: PharmacyOrder,
  readPatient: () => Promise<PatientDetails>,
): Promise<void> {
  const { submissionId, pharmacy: name } = placed;
  const shipment = { submissionId, taskId: reference, emrPatientId, pharmacy: name };
  const patient = usesOurLabel(name) ? await readPatient() : undefined;
  try {
    await shipping(title, (activities) => activities.shipOrder({ shipment, order: placed, patient }));
  } catch (error) {
    if (patient && failureOf(error).type === failureTypes.unavailable)
      await startSettleShipment({ shipment, order: placed, patient, runId, lostAtMs: Date.now() });
    throw error;
  }
}

async function startSettleShipment(lost: LostLabel): Promise<void> {
  await startChild(settleShipment, {
    workflowId: settleShipmentWorkflowId(lost.shipment.submissionId),
    args: [lost],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    cancellationType: ChildWorkflowCancellationType.ABANDON,
    staticSummary: `Find out about the label of order ${lost.shipment.submissionId}`,
  });
}

/** What the steps have found so far. */
interface Facts {
  config?: MedicationConfig;
  patient?: { name: string; state: string };
  placed?: PharmacyOrder;
  /** The shipping service has said no; where it said nothing, its answers may have been lost. */
  isShipmentRefused?: boolean;
}

function resultOf({ order, facts, steps }: Run): PipelineResult {
  const { config, patient, placed } = facts;
  return {
    success: true,
    completedSteps: [...steps.completed],
    warnings: [...steps.warnings],
    medication: config?.displayName ?? order.medication,
    patientName: patient?.name ?? '',
    state: patient?.state ?? '',
    ...(placed ? { submissionId: placed.submissionId } : {}),
  };
}

/** What a run is found by, as far as it is known. */
const attributesOf = ({ medication }: Order, { patient, placed }: Facts): SearchAttributePair[] => [
  ...(placed || patient ? [{ key: rxMedication, value: medication }] : []),
  ...(patient ? [{ key: rxState, value: patient.state }] : []),
  ...(placed ? [{ key: rxPharmacy, value: placed.pharmacy }] : []),
  ...(placed ? [{ key: rxSubmission, value: placed.submissionId }] : []),
];

/** Writes that a blocking step has failed. @throws what is no failure of a step */
async function closeFailed(run: Run, error: unknown): Promise<PipelineResult> {
  if (!(error instanceof StepFailure)) throw error;
  const { step: failedStep, reason, type } = error;
  const { taskId, reference } = run.order;
  const [{ unknownId: unknownSubmissionId } = {}] = error.details as Partial<UnknownOrder>[];
  run.steps.failed(error, run.facts.patient?.state, unknownSubmissionId !== undefined);
  const isPartyAway = type === failureTypes.unavailable || type === failureTypes.ownOutage;
  const needsPerson = isPartyAway && unknownSubmissionId === undefined;
  const { workflowId } = workflowInfo();
  return record(
    run,
    { ...resultOf(run), success: false, failedStep, error: reason },
    { failedApproval: needsPerson ? { reference, taskId, workflowId } : undefined, unknownSubmissionId },
  );
}

/** Writes a success with what it brings: the pharmacy's id on file, the refill counted or the coming ones scheduled (D40). */
async function closeCompleted(run: Run): Promise<PipelineResult> {
  const { config, placed, isShipmentRefused } = run.facts;
  const { taskId, emrPatientId, medication, dosage = null, refill } = run.order;
  const { submissionId = '' } = placed ?? {};
  const { refills: totalRefillsAllowed = 0, daysSupply = 0 } = config ?? {};
  const schedule = { taskId, emrPatientId, medication, dosage, totalRefillsAllowed, daysSupply };
  return record(run, resultOf(run), {
    order: placed && { ...placed, emrPatientId },
    failedShipment: isShipmentRefused
      ? { submissionId, taskId, workflowId: workflowInfo().workflowId }
      : undefined,
    refill,
    allows: !refill && totalRefillsAllowed > 0 ? schedule : undefined,
  });
}

/** Writes the run's end, whatever it takes. */
async function record(
  { order }: Run,
  result: PipelineResult,
  what: Partial<Outcome>,
): Promise<PipelineResult> {
  const { runId, reference } = order;
  const recorded = await records('Record the outcome').recordOutcome({ runId, reference, result, ...what });
  return recorded ?? result;
}

/** A failed run as a failure that says which step and why, with the recorded result for the caller who waits. */
export const stepFailed = (result: PipelineResult): ApplicationFailure =>
  ApplicationFailure.create({
    type: failureTypes.stepFailed,
    message: `Step ${result.failedStep ? stepTitle(result.failedStep) : ''}: ${result.error ?? 'failed'}`,
    nonRetryable: true,
    details: [result],
  });
