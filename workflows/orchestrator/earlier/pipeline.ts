import { type CancellationScope, log, patched, upsertSearchAttributes } from '@temporalio/workflow';
import type { EarlierActivities } from '../../../activities/orchestrator/earlier-steps.js';
import type { LabelActivities } from '../../../activities/orchestrator/lost-labels.js';
import type { PatientActivities } from '../../../activities/orchestrator/patients.js';
import type { PharmacyActivities, PharmacyOrder } from '../../../activities/orchestrator/pharmacy.js';
import type { PrescriberActivities } from '../../../activities/orchestrator/prescribers.js';
import { failureTypes } from '../../../domain/failures.js';
import type { MedicationConfig } from '../../../domain/orchestrator/medications.js';
import { contactOf, type PatientDetails } from '../../../domain/orchestrator/patient.js';
import type { ResolvedPrescriber } from '../../../domain/orchestrator/prescribers.js';
import type { PipelineResult } from '../../../domain/orchestrator/pipeline.js';
import { failureOf, localFirst, ordinary, ownServices, ownTransactions } from '../../proxies.js';
import { rxMedication, rxPharmacy, rxState, rxStep, rxSubmission } from '../../search-attributes.js';
import { notifying, pharmacyName } from '../notifying.js';
import {
  closeCompleted,
  closeFailed,
  type Facts,
  type Order as PresentOrder,
  type SettledOrder,
  settleLater,
} from '../pipeline.js';
import { StepLog } from '../step-log.js';
import { chargeInParts } from './charge-in-parts.js';

type Order = Omit<PresentOrder, 'config'>;

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
const shipping = ordinary<LabelActivities>({
  startToCloseTimeout: '4 s',
  retry: { maximumAttempts: 3, initialInterval: '500 ms' },
});
const records = ownTransactions<EarlierActivities>();
// Progress is a courtesy: what comes later says it again.
const progress = localFirst<EarlierActivities>({ startToCloseTimeout: '5 s', retry: { maximumAttempts: 1 } });

/**
 * The seven steps as runs take them that were begun before step 1 came with the claim: more activities, and ordinary ones
 * from step 4 on. To be taken out with its histories (tests/replay/earlier) once none is open.
 */
export async function runEarlierPipeline(
  order: Order,
  cancellable: CancellationScope,
): Promise<PipelineResult> {
  const { runId, emrPatientId, settled } = order;
  const steps = new StepLog();
  const show: Show = async () => {
    try {
      await progress('Show progress').recordProgress({ runId, completedSteps: [...steps.completed] });
    } catch {
      log.warn('progress of the run was not recorded');
    }
  };
  const facts: Facts = {};

  try {
    const config = await cancellable.run(() =>
      steps.block('medication_config', (title) =>
        records(title).loadMedicationConfig({ medication: order.medication, runId }),
      ),
    );
    facts.config = config;
    if (settled) {
      await carryOn(order, settled, config, facts, steps, show);
    } else {
      const patient = await cancellable.run(() =>
        steps.block('patient_details', (title) => reads(title).fetchPatient({ emrPatientId })),
      );
      facts.patient = { name: `${patient.firstName} ${patient.lastName}`, state: patient.address.state };
      const prescriber = await cancellable.run(() =>
        steps.block('prescriber_resolution', (title) =>
          reads(title).resolvePrescriber({ state: patient.address.state }),
        ),
      );
      await fulfil(order, { config, patient, prescriber }, facts, steps, show);
    }
    steps.succeeded(`Ordered from ${facts.placed?.pharmacy} for ${facts.patient?.state}.`);
    return await closeCompleted({ order, facts, steps });
  } catch (error) {
    return closeFailed({ order, facts, steps }, error);
  }
}

type Show = () => Promise<void>;

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
  show: Show,
): Promise<void> {
  const { reference, medication, dosage, placing } = order;
  await show();
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
    show,
  );
}

/** Steps 5 to 7 of an order that turned out to exist: the run that made it had done the others. */
async function carryOn(
  order: Order,
  { placed, patientName: name, state }: SettledOrder,
  config: MedicationConfig,
  facts: Facts,
  steps: StepLog,
  show: Show,
): Promise<void> {
  steps.resume(['patient_details', 'prescriber_resolution', 'pharmacy_submission']);
  facts.patient = { name, state };
  // Asked for once, and not before the charge, which needs nothing of it.
  let patient: Promise<PatientDetails> | undefined;
  const readPatient = () =>
    (patient ??= patientLater('Find patient in EMR').fetchPatient({ emrPatientId: order.emrPatientId }));
  await followOrder(order, { placed, config, state }, readPatient, facts, steps, show);
}

/** Steps 5 to 7 of an order that exists: each is attempted, and what fails only warns. */
async function followOrder(
  order: Order,
  { placed, config, state }: { placed: PharmacyOrder; config: MedicationConfig; state: string },
  readPatient: () => Promise<PatientDetails>,
  facts: Facts,
  steps: StepLog,
  show: Show,
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
  await show();
  await steps.attempt('payment', (title) =>
    chargeInParts(title, { taskId: reference, emrPatientId, priceCents: config.priceCents, requestedBy }),
  );
  await show();
  const failed = await steps.attempt('shipment', (title) => shipInParts(title, order, placed, readPatient));
  facts.isShipmentRefused = failed !== undefined && failed !== failureTypes.unavailable;
  await show();
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
export async function shipInParts(
  title: string,
  { reference, emrPatientId, runId }: Pick<Order, 'reference' | 'emrPatientId' | 'runId'>,
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
