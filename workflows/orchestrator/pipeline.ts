import type { SearchAttributePair } from '@temporalio/common';
import type { CancellationScope } from '@temporalio/workflow';
import { ApplicationFailure, setHandler, workflowInfo } from '@temporalio/workflow';
import type { NotificationActivities } from '../../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import type {
  OrderOutcome,
  PharmacyActivities,
  PharmacyOrder,
} from '../../activities/orchestrator/pharmacy.js';
import type { PrescriberActivities } from '../../activities/orchestrator/prescribers.js';
import type { ReplacementActivities } from '../../activities/orchestrator/replacements.js';
import type { Outcome, TaskActivities } from '../../activities/orchestrator/tasks.js';
import { failureTypes } from '../../domain/failures.js';
import {
  type ApprovalErrorCode,
  approvalErrorCode,
  refillReason,
} from '../../domain/orchestrator/approval-errors.js';
import type { Placing } from '../../domain/orchestrator/reroute.js';
import type { MedicationConfig } from '../../domain/orchestrator/medications.js';
import type { OrderAddress, PatientContact } from '../../domain/orderable-patient.js';
import type { Addressee } from '../../domain/orchestrator/shipments.js';
import { type PipelineResult, stepTitle } from '../../domain/orchestrator/pipeline.js';
import { pharmacyTitle } from '../../domain/pharmacies.js';
import { chargeSavedCard } from './charge-saved-card.js';
import { completedStepsQuery } from '../messages.js';
import { localFirst, ordinary, ownServices, ownTransactions } from '../proxies.js';
import { rxMedication, rxPharmacy, rxState, rxSubmission } from '../search-attributes.js';
import { patientLater } from './proxies.js';
import { shipOrder } from './ship-order.js';
import { StepFailure, StepLog } from './step-log.js';

export interface Order {
  taskId: string;
  /** Id of the run's record. */
  runId: string;
  /** Reference of the order and its charge: the task id, for a refill with its number (D30). */
  reference: string;
  medication: string;
  /** null: the medication is unknown. */
  config: MedicationConfig | null;
  emrPatientId: string;
  dosage?: string;
  /** The address of a refill that does not go to the EMR's (D119). */
  shipTo?: OrderAddress;
  /** The API caller's key (D88). */
  requestedBy?: string | undefined;
  /** The new reference and pharmacy of a moved order (D105). */
  placing?: Placing | undefined;
  /** undefined for an approval */
  refill?: { scheduleId: string; n: number };
  /** An earlier run completed steps 1 to 4, and its order turned out to exist (D114). */
  settled?: SettledOrder | undefined;
}

/** An order that turned out to exist, with the patient data of the run that placed it. */
export interface SettledOrder {
  placed: PharmacyOrder;
  patientName: string;
  state: string;
  requestedBy?: string | undefined;
  /** The order was moved to another pharmacy (D105). */
  isMoved?: boolean;
}

// Steps 2 and 3: about 20 s of retries (D34).
const reads = localFirst<PatientActivities & PrescriberActivities>({
  startToCloseTimeout: '5500 ms',
  retry: { maximumAttempts: 3, initialInterval: '1 s' },
});
// Step 4: a call outlasts the pharmacy's whole budget of 20 s (D23). The heartbeat detects a lost worker early.
const pharmacy = ownServices<PharmacyActivities>({
  startToCloseTimeout: '25500 ms',
  heartbeatTimeout: '8 s',
});
// Step 6 of an order that turned out to exist: about an hour, since no caller waits.
const router = ordinary<Pick<ReplacementActivities, 'readAddressee'>>({
  startToCloseTimeout: '10 s',
  retry: { maximumAttempts: 20, maximumInterval: '5 minutes' },
});
// Step 7: a call outlasts the channels' own 10 s (D70).
const notifying = localFirst<NotificationActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
  retry: { initialInterval: '1 s', maximumInterval: '10 s' },
});
const records = ownTransactions<TaskActivities>();

/**
 * The seven steps of an approval (page 1, Pipeline steps). A failure of steps 1 to 4 ends the run, a failure of 5 to 7
 * is a warning. An operator may cancel before step 4, whose order may exist.
 * @param cancellable scope of the steps that an operator's cancellation ends
 * @returns the recorded result; `success` false names the failed step, and `code` its cause
 */
export async function runPipeline(order: Order, cancellable: CancellationScope): Promise<Ended> {
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
    return { result: await closeCompleted(run) };
  } catch (error) {
    return closeFailed(run, error);
  }
}

interface Ended {
  result: PipelineResult;
  /** A failed run's (D139). */
  code?: ApprovalErrorCode;
}

interface Run {
  order: Omit<Order, 'config'>;
  facts: Facts;
  steps: StepLog;
}

/** Step 1. An inactive medication is unknown, unless its refills continue or its order exists (D123). */
function configOf({ config, medication, refill, settled }: Order): MedicationConfig {
  if (config && (config.isActive || refill || settled)) return config;
  throw new StepFailure('medication_config', `Unknown medication: ${medication}`, [], failureTypes.notFound);
}

/** Steps 2 to 7. @throws StepFailure of steps 2 to 4 */
async function placeOrder(run: Run, config: MedicationConfig, cancellable: CancellationScope): Promise<void> {
  const { order, facts, steps } = run;
  const { emrPatientId, reference, dosage, shipTo, placing } = order;
  const { patient, prescriber } = await cancellable.run(async () => {
    const patient = await steps.block('patient_details', (title) =>
      reads(title).fetchPatient({ emrPatientId, shipTo }),
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
      config,
      dosage,
    }),
  );
  await followOrder(run, config, placed, {
    readAddressee: () => Promise.resolve(patient),
    readContact: () => Promise.resolve(patient.contact),
  });
}

/** Steps 5 to 7 of an order that turned out to exist. Its label has the address that was ordered. */
async function resumeAfterOrder(run: Run, settled: SettledOrder, config: MedicationConfig): Promise<void> {
  const { order, facts, steps } = run;
  const { placed, patientName: name, state } = settled;
  const { submissionId } = placed;
  const { emrPatientId } = order;
  steps.resume(['patient_details', 'prescriber_resolution', 'pharmacy_submission']);
  facts.patient = { name, state };
  await followOrder(run, config, placed, {
    readAddressee: () => router('Read the address').readAddressee({ submissionId }),
    readContact: () => patientLater('Find patient in EMR').fetchContact({ emrPatientId }),
  });
}

/** They are called after the charge, which needs neither. */
interface Readers {
  readAddressee: () => Promise<Addressee>;
  readContact: () => Promise<PatientContact>;
}

/** Steps 5 to 7 */
async function followOrder(
  { order, facts, steps }: Run,
  { displayName, priceCents }: MedicationConfig,
  placed: PharmacyOrder,
  { readAddressee, readContact }: Readers,
): Promise<void> {
  const { reference: taskId, emrPatientId, requestedBy } = order;
  facts.placed = placed;
  await steps.attempt('payment', (title) =>
    chargeSavedCard(title, { taskId, emrPatientId, priceCents, requestedBy }),
  );
  const failed = await steps.attempt('shipment', (title) => shipOrder(title, order, placed, readAddressee));
  facts.isShipmentRefused = failed !== undefined && failed !== failureTypes.unavailable;
  await steps.attempt('notification', async (title) =>
    notifying(title).notifyPatient({
      type: 'prescription_approved',
      reference: placed.submissionId,
      contact: await readContact(),
      variables: { medication: displayName, pharmacyName: pharmacyTitle(placed.pharmacy) },
    }),
  );
}

/** Results of the completed steps. */
interface Facts {
  config?: MedicationConfig;
  patient?: { name: string; state: string };
  placed?: PharmacyOrder;
  /** The shipping service rejected the shipment; without an answer, the label may exist. */
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

const attributesOf = ({ medication }: Order, { patient, placed }: Facts): SearchAttributePair[] => [
  ...(placed || patient ? [{ key: rxMedication, value: medication }] : []),
  ...(patient ? [{ key: rxState, value: patient.state }] : []),
  ...(placed ? [{ key: rxPharmacy, value: placed.pharmacy }] : []),
  ...(placed ? [{ key: rxSubmission, value: placed.submissionId }] : []),
];

/** Records the failure of a blocking step. @throws any other error */
async function closeFailed(run: Run, error: unknown): Promise<Ended> {
  if (!(error instanceof StepFailure)) throw error;
  const { step: failedStep, reason } = error;
  const { taskId, reference, refill } = run.order;
  const [{ unknownId: unknownSubmissionId, isEarlier: isEarlierOrder } = {}] =
    error.details as Partial<OrderOutcome>[];
  const isUnknown = typeof unknownSubmissionId === 'string';
  const code = approvalErrorCode(error, isUnknown);
  run.steps.failed(error, run.facts.patient?.state, isUnknown);
  const needsWorkItem = !isUnknown && (refill !== undefined || code !== 'cancelled');
  const failed = {
    reference,
    taskId,
    workflowId: workflowInfo().workflowId,
    reason: refill ? refillReason(failedStep, code) : code,
    canReroute: failedStep === 'pharmacy_submission',
  };
  const result = await record(
    run,
    { ...resultOf(run), success: false, failedStep, error: reason },
    {
      failedApproval: needsWorkItem ? failed : undefined,
      unknownSubmissionId,
      isEarlierOrder,
      code: refill && code,
    },
  );
  return { result, code };
}

/** Records a success, and counts the refill or schedules the future ones (D40). */
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

async function record(
  { order }: Run,
  result: PipelineResult,
  what: Partial<Outcome>,
): Promise<PipelineResult> {
  const { runId, reference } = order;
  const recorded = await records('Record the outcome').recordOutcome({ runId, reference, result, ...what });
  return recorded ?? result;
}

/** Names the failed step and its reason, with the recorded result and its code for the waiting caller. */
export const stepFailed = ({ result, code }: Ended): ApplicationFailure =>
  ApplicationFailure.create({
    type: failureTypes.stepFailed,
    message: `Step ${result.failedStep ? stepTitle(result.failedStep) : ''}: ${result.error ?? 'failed'}`,
    nonRetryable: true,
    details: [result, code],
  });
