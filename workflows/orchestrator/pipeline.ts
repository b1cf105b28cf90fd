import {
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  patched,
  startChild,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { MedicationActivities } from '../../activities/orchestrator/medications.js';
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
import { contactOf, type PatientDetails } from '../../domain/orchestrator/patient.js';
import type { ResolvedPrescriber } from '../../domain/orchestrator/prescribers.js';
import { type PipelineResult, stepTitle } from '../../domain/orchestrator/pipeline.js';
import { settleShipmentWorkflowId } from '../ids.js';
import { chargeSavedCard } from './charge-saved-card.js';
import { notifying, pharmacyName } from './notifying.js';
import { failureOf, localFirst, ordinary, ownServices, ownTransactions } from '../proxies.js';
import { rxMedication, rxPharmacy, rxState, rxStep, rxSubmission } from '../search-attributes.js';
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
// Step 6: about 12 s.
const shipping = ordinary<ShipmentActivities>({
  startToCloseTimeout: '4 s',
  retry: { maximumAttempts: 3, initialInterval: '500 ms' },
});
const records = ownTransactions<TaskActivities & MedicationActivities & ShipmentActivities>();
// Progress is a courtesy: what comes later says it again.
const progress = localFirst<TaskActivities>({ startToCloseTimeout: '5 s', retry: { maximumAttempts: 1 } });

/**
 * The seven steps of an approval (page 1, Pipeline steps). Steps 1 to 4 block, 5 to 7 are each attempted and
 * only warn. Until step 4 an operator may cancel; from then on the order exists and the rest is carried through.
 * @returns the recorded result; one with `success` false names the step that failed
 */
export async function runPipeline(order: Order): Promise<PipelineResult> {
  const { runId, emrPatientId, settled } = order;
  const steps = new StepLog((completedSteps) =>
    progress('Show progress').recordProgress({ runId, completedSteps }),
  );
  const facts: Facts = {};

  try {
    const config = await steps.block('medication_config', (title) =>
      records(title).loadMedicationConfig({ medication: order.medication, runId }),
    );
    facts.config = config;
    if (settled) {
      await CancellationScope.nonCancellable(() => carryOn(order, settled, config, facts, steps));
    } else {
      const patient = await steps.block('patient_details', (title) =>
        reads(title).fetchPatient({ emrPatientId }),
      );
      facts.patient = { name: `${patient.firstName} ${patient.lastName}`, state: patient.address.state };
      const prescriber = await steps.block('prescriber_resolution', (title) =>
        reads(title).resolvePrescriber({ state: patient.address.state }),
      );
      await CancellationScope.nonCancellable(() =>
        fulfil(order, { config, patient, prescriber }, facts, steps),
      );
    }
    steps.succeeded(`Ordered from ${facts.placed?.pharmacy} for ${facts.patient?.state}.`);
    return await close(order, facts, resultOf(order, facts, steps));
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    const [unknown] = error.details as Partial<UnknownOrder>[];
    facts.unknownSubmissionId = unknown?.unknownId;
    steps.failed(error, facts.patient?.state, facts.unknownSubmissionId !== undefined);
    const failed = { success: false, failedStep: error.step, error: error.reason };
    return close(order, facts, { ...resultOf(order, facts, steps), ...failed });
  }
}

/** Steps 4 to 7: the order blocks; what follows it is attempted, and what fails only warns. */
async function fulfil(
  order: Order,
  {
    config,
    patient,
    prescriber,
  }: { config: MedicationConfig; patient: PatientDetails; prescriber: ResolvedPrescriber },
  facts: Facts,
  steps: StepLog,
): Promise<void> {
  const { reference, medication, dosage, placing } = order;
  await steps.show();
  const placed = await steps.block('pharmacy_submission', (title) =>
    pharmacy(title).submitToPharmacy({
      sourceOrderId: placing?.reference ?? reference,
      ...(placing?.pharmacy ? { pharmacy: placing.pharmacy } : {}),
      patient,
      prescriber,
      medication,
      config,
      ...(dosage === undefined ? {} : { dosage }),
    }),
  );
  await followOrder(
    order,
    { placed, config, state: patient.address.state },
    async () => patient,
    facts,
    steps,
  );
}

/** Steps 5 to 7 of an order that turned out to exist: the run that made it had done the others. */
async function carryOn(
  order: Order,
  { placed, patientName: name, state }: SettledOrder,
  config: MedicationConfig,
  facts: Facts,
  steps: StepLog,
): Promise<void> {
  steps.resume(['patient_details', 'prescriber_resolution', 'pharmacy_submission']);
  facts.patient = { name, state };
  // Asked for once, and not before the charge, which needs nothing of it.
  let patient: Promise<PatientDetails> | undefined;
  const readPatient = () =>
    (patient ??= patientLater('Find patient in EMR').fetchPatient({ emrPatientId: order.emrPatientId }));
  await followOrder(order, { placed, config, state }, readPatient, facts, steps);
}

/** Steps 5 to 7 of an order that exists: each is attempted, and what fails only warns. */
async function followOrder(
  order: Order,
  { placed, config, state }: { placed: PharmacyOrder; config: MedicationConfig; state: string },
  readPatient: () => Promise<PatientDetails>,
  facts: Facts,
  steps: StepLog,
): Promise<void> {
  const { reference, emrPatientId, medication, requestedBy } = order;
  facts.placed = placed;
  // Once, and not before: each change of them costs the server as much as a step.
  upsertSearchAttributes([
    { key: rxStep, value: 'payment' },
    { key: rxMedication, value: medication },
    { key: rxState, value: state },
    { key: rxPharmacy, value: placed.pharmacy },
    { key: rxSubmission, value: placed.submissionId },
  ]);
  await steps.show();
  await steps.attempt('payment', (title) =>
    chargeSavedCard(title, { taskId: reference, emrPatientId, priceCents: config.priceCents, requestedBy }),
  );
  await steps.show();
  const failed = await steps.attempt('shipment', (title) => ship(title, order, placed, readPatient));
  facts.isShipmentRefused = failed !== undefined && failed !== failureTypes.unavailable;
  await steps.show();
  await steps.attempt('notification', async (title) => {
    const contact = contactOf(await readPatient());
    await notifying(title).notifyPatient({
      type: 'prescription_approved',
      reference: placed.submissionId,
      contact,
      variables: { medication: config.displayName, pharmacyName: pharmacyName(placed.pharmacy) },
    });
  });
}

/**
 * Step 6: a label at once for pharmacy_c; the others ship later and say so by callback (D38). A label whose answers were
 * lost may have been made: a run of its own finds out (D114).
 */
export async function ship(
  title: string,
  { reference, emrPatientId, runId }: Order,
  placed: PharmacyOrder,
  readPatient: () => Promise<PatientDetails>,
): Promise<void> {
  const { submissionId, pharmacy: name } = placed;
  const shipment = { submissionId, taskId: reference, emrPatientId, pharmacy: name };
  if (name !== 'pharmacy_c') return records(`${title}: await the pharmacy`).recordShipment(shipment);
  const patient = await readPatient();
  try {
    const label = await shipping(title).createLabel({ order: placed, patient });
    await records(`${title}: record the label`).recordShipment({ ...shipment, label });
  } catch (error) {
    if (failureOf(error).type === failureTypes.unavailable && patched('settle-shipment'))
      await settleLater({ shipment, order: placed, patient, runId, lostAtMs: Date.now() });
    throw error;
  }
}

async function settleLater(lost: LostLabel): Promise<void> {
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
  unknownSubmissionId?: string | undefined;
}

function resultOf({ medication }: Order, { config, patient, placed }: Facts, steps: StepLog): PipelineResult {
  return {
    success: true,
    completedSteps: [...steps.completed],
    warnings: [...steps.warnings],
    medication: config?.displayName ?? medication,
    patientName: patient?.name ?? '',
    state: patient?.state ?? '',
    ...(placed ? { submissionId: placed.submissionId } : {}),
  };
}

/** Writes the run's end, whatever it takes, cancelled or not. */
async function close(order: Order, facts: Facts, result: PipelineResult): Promise<PipelineResult> {
  const { unknownSubmissionId } = facts;
  const outcome = {
    runId: order.runId,
    result,
    ...(result.success ? consequencesOf(order, facts) : {}),
    ...(unknownSubmissionId === undefined ? {} : { unknownSubmissionId }),
  };
  const recorded = await CancellationScope.nonCancellable(() =>
    records('Record the outcome').recordOutcome(outcome),
  );
  return recorded ? { ...result, ...recorded } : result;
}

/** What a success brings: the pharmacy's id on file, and the refill counted or the coming ones scheduled (D40). */
function consequencesOf(
  order: Order,
  { config, placed, isShipmentRefused }: Facts,
): Omit<Outcome, 'runId' | 'result'> {
  const { taskId, emrPatientId, medication, dosage, refill } = order;
  const { workflowId } = workflowInfo();
  const allowed = config?.refills ?? 0;
  const schedule = { taskId, emrPatientId, medication, dosage: dosage ?? null };
  return {
    ...(placed ? { order: { ...placed, emrPatientId } } : {}),
    ...(placed && isShipmentRefused
      ? { failedShipment: { submissionId: placed.submissionId, taskId, workflowId } }
      : {}),
    ...(refill ? { refill } : {}),
    ...(!refill && config && allowed > 0
      ? { allows: { ...schedule, totalRefillsAllowed: allowed, daysSupply: config.daysSupply } }
      : {}),
  };
}

/** A failed run as a failure that says which step and why, with the recorded result for the caller who waits. */
export const stepFailed = (result: PipelineResult): ApplicationFailure =>
  ApplicationFailure.create({
    type: failureTypes.stepFailed,
    message: `Step ${result.failedStep ? stepTitle(result.failedStep) : ''}: ${result.error ?? 'failed'}`,
    nonRetryable: true,
    details: [result],
  });
