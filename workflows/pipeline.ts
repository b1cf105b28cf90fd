import {
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  startChild,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { MedicationActivities } from '../activities/orchestrator/medications.js';
import type { NotificationActivities } from '../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../activities/orchestrator/patients.js';
import type { PaymentActivities } from '../activities/orchestrator/payments.js';
import type { PharmacyActivities, PharmacyOrder } from '../activities/orchestrator/pharmacy.js';
import type { PrescriberActivities } from '../activities/orchestrator/prescribers.js';
import type { ShipmentActivities } from '../activities/orchestrator/shipments.js';
import type { TaskActivities } from '../activities/orchestrator/tasks.js';
import { failureTypes } from '../domain/failures.js';
import type { MedicationConfig } from '../domain/medications.js';
import type { PatientDetails } from '../domain/patient.js';
import { type PipelineResult, stepTitle } from '../domain/pipeline.js';
import { settlePaymentWorkflowId } from './ids.js';
import { failureOf, localFirst, ordinary } from './proxies.js';
import { rxMedication, rxPharmacy, rxState, rxStep, rxSubmission } from './search-attributes.js';
import { settlePayment } from './settle-payment.js';
import { StepFailure, StepLog } from './step-log.js';

export interface Order {
  taskId: string;
  /** The run's record. */
  runId: string;
  /** The router's reference of the order (D30). */
  sourceOrderId: string;
  medication: string;
  emrPatientId: string;
  dosage?: string;
}

// Steps 2 and 3 read: about 20 s of transient faults (D34).
const reads = localFirst<PatientActivities & PrescriberActivities>({
  startToCloseTimeout: '5500 ms',
  retry: { maximumAttempts: 3, initialInterval: '1 s' },
});
// Step 4: two calls of up to 25 s, or as many quick refusals as fit in about 20 s. The heartbeat notices a lost worker early.
const pharmacy = ordinary<PharmacyActivities>({
  startToCloseTimeout: '25500 ms',
  heartbeatTimeout: '8 s',
  retry: { maximumAttempts: 6, initialInterval: '1 s', maximumInterval: '5 s' },
});
// Step 5: three calls of 4 s each to the processor.
const charging = ordinary<PaymentActivities>({
  startToCloseTimeout: '4500 ms',
  retry: { maximumAttempts: 3, initialInterval: '500 ms' },
});
// Step 6: about 12 s.
const shipping = ordinary<ShipmentActivities>({
  startToCloseTimeout: '4 s',
  retry: { maximumAttempts: 3, initialInterval: '500 ms' },
});
// Step 7: one call that outlasts the channels' own 10 s, or a few quick refusals.
const notifying = ordinary<NotificationActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
  retry: { maximumAttempts: 4, initialInterval: '1 s' },
});
// Our own database: waited for as long as it takes, since its outage is nobody else's fault (D34).
const records = localFirst<TaskActivities & MedicationActivities & PaymentActivities & ShipmentActivities>({
  startToCloseTimeout: '15 s',
  retry: { maximumInterval: '10 s' },
});
// Progress is a courtesy: what comes later says it again.
const progress = localFirst<TaskActivities>({ startToCloseTimeout: '5 s', retry: { maximumAttempts: 1 } });

/**
 * The seven steps of a prescription that was approved (page 1). Steps 1 to 4 block, 5 to 7 are each attempted and
 * only warn. Until step 4 an operator may cancel; from then on the order exists and the rest is carried through.
 * @returns the recorded result; one with `success` false names the step that failed
 */
export async function runPipeline(order: Order): Promise<PipelineResult> {
  const { taskId, runId, emrPatientId } = order;
  const steps = new StepLog((completedSteps) =>
    progress('Show progress').recordProgress({ runId, completedSteps }),
  );
  const facts: Facts = { medication: order.medication };

  try {
    const config = await steps.block('medication_config', (title) =>
      records(title).loadMedicationConfig({ medication: order.medication }),
    );
    facts.medication = config.displayName;
    const patient = await steps.block('patient_details', (title) =>
      reads(title).fetchPatient({ emrPatientId }),
    );
    facts.patient = patient;
    const prescriber = await steps.block('prescriber_resolution', (title) =>
      reads(title).resolvePrescriber({ state: patient.address.state }),
    );

    await CancellationScope.nonCancellable(async () => {
      upsertSearchAttributes([
        { key: rxStep, value: 'pharmacy_submission' },
        { key: rxMedication, value: order.medication },
        { key: rxState, value: patient.address.state },
      ]);
      steps.show();
      const placed = await steps.block('pharmacy_submission', (title) => {
        const { sourceOrderId, medication, dosage } = order;
        const submission = { sourceOrderId, patient, prescriber, medication, config };
        return pharmacy(title).submitToPharmacy({
          ...submission,
          ...(dosage === undefined ? {} : { dosage }),
        });
      });
      facts.submissionId = placed.submissionId;
      upsertSearchAttributes([
        { key: rxStep, value: 'payment' },
        { key: rxPharmacy, value: placed.pharmacy },
        { key: rxSubmission, value: placed.submissionId },
      ]);

      steps.show();
      await steps.attempt('payment', (title) =>
        pay(title, { taskId, emrPatientId, priceCents: config.priceCents }),
      );
      await steps.attempt('shipment', (title) => ship(title, taskId, placed, patient));
      steps.show();
      await steps.attempt('notification', (title) =>
        notifying(title).notifyPatient({
          submissionId: placed.submissionId,
          patient,
          medication: config.displayName,
          pharmacy: placed.pharmacy,
        }),
      );
    });
    steps.succeeded();
    return await close(runId, steps, resultOf(facts, steps));
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    steps.failed(error);
    const failed = { ...resultOf(facts, steps), success: false, failedStep: error.step, error: error.reason };
    return close(runId, steps, failed);
  }
}

/** Step 5: the amount is fixed first; a charge without a verdict is followed up by a run of its own (D37). */
async function pay(
  title: string,
  task: { taskId: string; emrPatientId: string; priceCents: number },
): Promise<void> {
  let opened = await records(`${title}: fix the amount`).openCharge(task);
  if (opened.kind === 'coupon') {
    const { coupon } = await charging(`${title}: check the coupon`).findCoupon(opened);
    opened = await records(`${title}: fix the amount`).openCharge({ ...task, coupon });
  }
  if (opened.kind !== 'charge') return;
  const { attempt, charge } = opened;
  const outcome = await charging(title)
    .chargeCard({ charge })
    .catch(async (error: unknown) => {
      if (failureOf(error).type === failureTypes.unavailable) await followUp(attempt, charge);
      else {
        const refusal = {
          status: 'failed' as const,
          paymentIntentId: null,
          reason: failureOf(error).message,
        };
        await records(`${title}: record the refusal`).recordPayment({
          taskId: task.taskId,
          attempt,
          outcome: refusal,
        });
      }
      throw error;
    });
  await records(`${title}: record the verdict`).recordPayment({ taskId: task.taskId, attempt, outcome });
  if (outcome.status === 'failed')
    throw ApplicationFailure.nonRetryable(`Card declined: ${outcome.reason}`, failureTypes.rejected);
}

async function followUp(
  attempt: number,
  charge: Parameters<typeof settlePayment>[0]['charge'],
): Promise<void> {
  await startChild(settlePayment, {
    workflowId: settlePaymentWorkflowId(workflowInfo().workflowId, attempt),
    args: [{ attempt, charge }],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    cancellationType: ChildWorkflowCancellationType.ABANDON,
    staticSummary: `Find out what became of charge ${attempt} of task ${charge.taskId}`,
  });
}

/** Step 6: a label at once for pharmacy_c; the others ship later and say so by callback (D38). */
async function ship(
  title: string,
  taskId: string,
  order: PharmacyOrder,
  patient: PatientDetails,
): Promise<void> {
  const { submissionId, pharmacy: name } = order;
  const shipment = { submissionId, taskId, pharmacy: name };
  if (name !== 'pharmacy_c') return records(`${title}: await the pharmacy`).recordShipment(shipment);
  const label = await shipping(title).createLabel({ order, patient });
  return records(`${title}: record the label`).recordShipment({ ...shipment, label });
}

/** What the steps have found so far. */
interface Facts {
  medication: MedicationConfig['displayName'];
  patient?: PatientDetails;
  submissionId?: string;
}

function resultOf({ medication, patient, submissionId }: Facts, steps: StepLog): PipelineResult {
  return {
    success: true,
    completedSteps: [...steps.completed],
    warnings: [...steps.warnings],
    medication,
    patientName: patient ? `${patient.firstName} ${patient.lastName}` : '',
    state: patient?.address.state ?? '',
    ...(submissionId === undefined ? {} : { submissionId }),
  };
}

/** Writes the run's end, whatever it takes, cancelled or not. */
async function close(runId: string, steps: StepLog, result: PipelineResult): Promise<PipelineResult> {
  await CancellationScope.nonCancellable(async () => {
    await steps.shown();
    await records('Record the outcome').recordOutcome({ runId, result });
  });
  return result;
}

/** As the search attribute and the details name a failed step. */
export const failedStepTitle = (result: PipelineResult): string =>
  result.failedStep ? stepTitle(result.failedStep) : 'unknown step';
