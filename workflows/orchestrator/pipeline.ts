import { ApplicationFailure, CancellationScope, upsertSearchAttributes } from '@temporalio/workflow';
import type { MedicationActivities } from '../../activities/orchestrator/medications.js';
import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import type { PharmacyActivities, PharmacyOrder } from '../../activities/orchestrator/pharmacy.js';
import type { PrescriberActivities } from '../../activities/orchestrator/prescribers.js';
import type { ShipmentActivities } from '../../activities/orchestrator/shipments.js';
import type { Outcome, TaskActivities } from '../../activities/orchestrator/tasks.js';
import { failureTypes } from '../../domain/failures.js';
import type { Placing } from '../../domain/orchestrator/reroute.js';
import type { MedicationConfig } from '../../domain/orchestrator/medications.js';
import { contactOf, type PatientDetails } from '../../domain/orchestrator/patient.js';
import type { ResolvedPrescriber } from '../../domain/orchestrator/prescribers.js';
import { type PipelineResult, stepTitle } from '../../domain/orchestrator/pipeline.js';
import { chargeSavedCard } from './charge-saved-card.js';
import { notifying, pharmacyName } from './notifying.js';
import { localFirst, ordinary, ownServices, ownTransactions } from '../proxies.js';
import { rxMedication, rxPharmacy, rxState, rxStep, rxSubmission } from '../search-attributes.js';
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
}

// Steps 2 and 3 read: about 20 s of transient faults (D34).
const reads = localFirst<PatientActivities & PrescriberActivities>({
  startToCloseTimeout: '5500 ms',
  retry: { maximumAttempts: 3, initialInterval: '1 s' },
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
  const { runId, emrPatientId } = order;
  const steps = new StepLog((completedSteps) =>
    progress('Show progress').recordProgress({ runId, completedSteps }),
  );
  const facts: Facts = {};

  try {
    const config = await steps.block('medication_config', (title) =>
      records(title).loadMedicationConfig({ medication: order.medication, runId }),
    );
    facts.config = config;
    const patient = await steps.block('patient_details', (title) =>
      reads(title).fetchPatient({ emrPatientId }),
    );
    facts.patient = patient;
    const prescriber = await steps.block('prescriber_resolution', (title) =>
      reads(title).resolvePrescriber({ state: patient.address.state }),
    );

    const placed = await CancellationScope.nonCancellable(() =>
      fulfil(order, { config, patient, prescriber }, steps),
    );
    facts.placed = placed;
    steps.succeeded(`Ordered from ${placed.pharmacy} for ${patient.address.state}.`);
    return await close(order, facts, resultOf(order, facts, steps));
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    steps.failed(error, facts.patient?.address.state);
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
  steps: StepLog,
): Promise<PharmacyOrder> {
  const { reference, emrPatientId, medication, dosage, requestedBy, placing } = order;
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
  // Once, and not before: each change of them costs the server as much as a step.
  upsertSearchAttributes([
    { key: rxStep, value: 'payment' },
    { key: rxMedication, value: medication },
    { key: rxState, value: patient.address.state },
    { key: rxPharmacy, value: placed.pharmacy },
    { key: rxSubmission, value: placed.submissionId },
  ]);
  await steps.show();
  await steps.attempt('payment', (title) =>
    chargeSavedCard(title, { taskId: reference, emrPatientId, priceCents: config.priceCents, requestedBy }),
  );
  await steps.show();
  await steps.attempt('shipment', (title) => ship(title, order, placed, patient));
  await steps.show();
  await steps.attempt('notification', (title) =>
    notifying(title).notifyPatient({
      type: 'prescription_approved',
      reference: placed.submissionId,
      contact: contactOf(patient),
      variables: { medication: config.displayName, pharmacyName: pharmacyName(placed.pharmacy) },
    }),
  );
  return placed;
}

/** Step 6: a label at once for pharmacy_c; the others ship later and say so by callback (D38). */
async function ship(
  title: string,
  { reference, emrPatientId }: Order,
  placed: PharmacyOrder,
  patient: PatientDetails,
): Promise<void> {
  const { submissionId, pharmacy: name } = placed;
  const shipment = { submissionId, taskId: reference, emrPatientId, pharmacy: name };
  if (name !== 'pharmacy_c') return records(`${title}: await the pharmacy`).recordShipment(shipment);
  const label = await shipping(title).createLabel({ order: placed, patient });
  return records(`${title}: record the label`).recordShipment({ ...shipment, label });
}

/** What the steps have found so far. */
interface Facts {
  config?: MedicationConfig;
  patient?: PatientDetails;
  placed?: PharmacyOrder;
}

function resultOf({ medication }: Order, { config, patient, placed }: Facts, steps: StepLog): PipelineResult {
  return {
    success: true,
    completedSteps: [...steps.completed],
    warnings: [...steps.warnings],
    medication: config?.displayName ?? medication,
    patientName: patient ? `${patient.firstName} ${patient.lastName}` : '',
    state: patient?.address.state ?? '',
    ...(placed ? { submissionId: placed.submissionId } : {}),
  };
}

/** Writes the run's end, whatever it takes, cancelled or not. */
async function close(order: Order, facts: Facts, result: PipelineResult): Promise<PipelineResult> {
  const outcome = { runId: order.runId, result, ...(result.success ? consequencesOf(order, facts) : {}) };
  const recorded = await CancellationScope.nonCancellable(() =>
    records('Record the outcome').recordOutcome(outcome),
  );
  return recorded ? { ...result, ...recorded } : result;
}

/** What a success brings: the pharmacy's id on file, and the refill counted or the coming ones scheduled (D40). */
function consequencesOf(order: Order, { config, placed }: Facts): Omit<Outcome, 'runId' | 'result'> {
  const { taskId, emrPatientId, medication, dosage, refill } = order;
  const allowed = config?.refills ?? 0;
  const schedule = { taskId, emrPatientId, medication, dosage: dosage ?? null };
  return {
    ...(placed ? { order: { ...placed, emrPatientId } } : {}),
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
