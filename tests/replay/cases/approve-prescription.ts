import { ApplicationFailure } from '@temporalio/common';
import type { PipelineResult } from '../../../domain/orchestrator/pipeline.js';
import type { approvePrescription as workflow } from '../../../workflows/orchestrator/approve-prescription.js';
import {
  charge,
  failingFirst,
  goodActivities,
  outage,
  type PipelineActivities,
  refusal,
} from '../../workflows/orchestrator/pipeline-activities.js';
import { type CasesOf, type Expected, type JudgedCase, ownRun } from '../cases.js';

const allSteps = [
  'medication_config',
  'patient_details',
  'prescriber_resolution',
  'pharmacy_submission',
  'payment',
  'shipment',
  'notification',
];
const result: PipelineResult = {
  success: true,
  completedSteps: allSteps as PipelineResult['completedSteps'],
  warnings: [],
  medication: 'Semaglutide 5mg/mL',
  patientName: 'Ada Test',
  state: 'NY',
};
const recorded: PipelineResult = { ...result, completedSteps: result.completedSteps.slice(0, 4) };

const untilOrdered = ['loadMedicationConfig', 'fetchPatient', 'resolvePrescriber', 'submitToPharmacy'];
const paying = ['openCharge', 'chargeCard', 'recordPayment'];
/** The calls of a run that is ordered, with these between the order and the shipment's record. */
const callsWith = (...between: string[]) => [
  'claimTask',
  ...untilOrdered,
  ...between,
  'recordShipment',
  'notifyPatient',
  'recordOutcome',
];

export function approval(
  expect: Expected,
  replaced: Partial<PipelineActivities> = {},
  dosage?: string,
): JudgedCase<Parameters<typeof workflow>> {
  const task = { taskId: 'task', medication: 'semaglutide', emrPatientId: 'patient-1', detailsHash: 'hash' };
  return {
    args: [{ ...task, ...(dosage === undefined ? {} : { dosage }) }],
    activities: goodActivities(replaced),
    expect,
  };
}

/** An approval that succeeds with these warnings. */
export const warning = (
  says: string,
  warnings: readonly string[],
  replaced: Partial<PipelineActivities>,
  expected: Partial<Expected> = {},
) => approval({ says, result: { ...result, warnings }, ...expected }, replaced);

/** An approval that fails at a blocking step: red, with the reason, and no later step is tried. */
export function blocked(n: 1 | 2 | 3 | 4, name: string, error: string, fail: () => never, attempts = 1) {
  const before = untilOrdered.slice(0, n - 1);
  const activity = untilOrdered[n - 1]!;
  const answer = {
    success: false,
    failedStep: allSteps[n - 1],
    error,
    completedSteps: allSteps.slice(0, n - 1),
    warnings: [],
  };
  return approval(
    {
      says: `the run is red, says why, and no step after ${n} is tried`,
      failure: { type: 'StepFailed', message: `Step ${n}/7 ${name}: ${error}`, details: [answer] },
      calls: ['claimTask', ...before, ...Array<string>(attempts).fill(activity), 'recordOutcome'],
    },
    { [activity]: fail },
  );
}

const good = goodActivities();

/** A run that is begun with the order of an earlier one. */
function carryingOn(expect: Expected, replaced: Partial<PipelineActivities>) {
  const { args, ...rest } = approval(expect, replaced);
  const placed = { submissionId, pharmacy: 'pharmacy_c', pharmacyOrderId: 'case-1' };
  const settled = { placed, patientName: 'Ada Test', state: 'NY', requestedBy: 'approvals' };
  return { ...rest, args: [{ ...args[0], settled }] as Parameters<typeof workflow> };
}
const submissionId = '00000000-0000-5000-8000-000000000001';

export const approvePrescription: CasesOf<typeof workflow> = {
  'pharmacy-c': approval(
    {
      says: 'it runs the seven steps in order and answers with what was done',
      result: { ...result, submissionId },
      calls: callsWith(...paying, 'createLabel'),
    },
    {},
    'inject 20 units SQ weekly',
  ),
  'pharmacy-b': approval(
    { says: 'a pharmacy that ships by itself gets no label', calls: callsWith(...paying) },
    {
      submitToPharmacy: async () => ({
        submissionId: '00000000-0000-5000-8000-000000000002',
        pharmacy: 'pharmacy_b',
        pharmacyOrderId: 'b-1',
      }),
    },
  ),
  warned: warning(
    'payment, shipment and notification warn, and each leaves the others their turn',
    ['payment_failed', 'shipment_failed', 'notification_failed'],
    {
      openCharge: refusal('The patient has no saved card'),
      createLabel: refusal('The address is unknown'),
      notifyPatient: refusal('No channel could deliver the notification'),
    },
    {
      calls: ['claimTask', ...untilOrdered, 'openCharge', 'createLabel', 'notifyPatient', 'recordOutcome'],
    },
  ),
  declined: warning(
    'an answered decline is recorded, warned of and never tried again',
    ['payment_failed'],
    { chargeCard: async () => ({ status: 'failed', paymentIntentId: 'pi_1', reason: 'card_declined' }) },
    { calls: callsWith(...paying, 'createLabel') },
  ),
  'charge-refused': warning(
    'a charge that the processor refuses is warned of, and the steps after it are attempted',
    ['payment_failed'],
    { chargeCard: refusal('The processor refused the request') },
    { times: { chargeCard: 1, createLabel: 1, notifyPatient: 1 } },
  ),
  'nothing-due': warning(
    'nothing is charged where nothing is due',
    [],
    { openCharge: async () => ({ kind: 'nothing' }) },
    { calls: callsWith('openCharge', 'createLabel') },
  ),
  coupon: warning(
    'the processor is asked for the coupon before the amount is fixed with it',
    [],
    {
      openCharge: async ({ coupon }) =>
        coupon === undefined
          ? { kind: 'coupon', couponId: 'WELCOME25' }
          : { kind: 'charge', attempt: 1, charge: { ...charge, amountCents: 22_425 }, isFirst: true },
      findCoupon: async () => ({
        coupon: {
          ...{ percentOff: 25, amountOffCents: null, currency: null },
          ...{ once: true, redemptionsLeft: null, valid: true },
        },
      }),
    },
    { calls: callsWith('openCharge', 'findCoupon', ...paying, 'createLabel') },
  ),
  'unanswered-charge': warning(
    'a charge that is not answered is warned of and followed up by a run of its own',
    ['payment_failed'],
    { chargeCard: outage },
    { times: { chargeCard: 3, recordPayment: 0 }, leaves: ['settlePayment'] },
  ),
  'lost-label': warning(
    'a label that is not answered is warned of and followed up by a run of its own',
    ['shipment_failed'],
    { createLabel: outage },
    {
      times: { createLabel: 3, recordShipment: 0, notifyPatient: 1 },
      leaves: ['settleShipment'],
    },
  ),
  'carried-on': carryingOn(
    {
      says: 'an order that turned out to exist is carried on from step 5, with all seven steps done',
      result: { ...result, submissionId },
      calls: [
        ...['claimTask', 'loadMedicationConfig', ...paying, 'fetchPatient', 'createLabel'],
        ...['recordShipment', 'notifyPatient', 'recordOutcome'],
      ],
    },
    {},
  ),
  'carried-on-without-patient': carryingOn(
    {
      says: 'an order that turned out to exist is charged for though its patient cannot be read any more',
      result: { ...result, submissionId, warnings: ['shipment_failed', 'notification_failed'] },
      times: { chargeCard: 1, createLabel: 0, notifyPatient: 0, fetchPatient: 1 },
    },
    { fetchPatient: refusal('Patient not found in EMR: patient-1', 'NotFound') },
  ),
  'order-unknown': approval(
    {
      says: 'a run whose order may exist is red, and its record names the submission',
      failure: { type: 'StepFailed' },
      inputs: { recordOutcome: [{ unknownSubmissionId: submissionId }] },
      details: ['The router finds out whether the order exists'],
    },
    {
      submitToPharmacy: async () => {
        throw ApplicationFailure.create({
          ...{ type: 'Rejected', message: 'No answer in time', nonRetryable: true },
          details: [{ unknownId: submissionId }],
        });
      },
    },
  ),
  retried: warning('faults that pass, and progress that cannot be recorded, disturb nothing', [], {
    claimTask: failingFirst(1, good.claimTask),
    fetchPatient: failingFirst(2, good.fetchPatient),
    submitToPharmacy: failingFirst(1, good.submitToPharmacy),
    chargeCard: failingFirst(1, good.chargeCard),
    recordProgress: outage,
    recordOutcome: failingFirst(2, good.recordOutcome),
  }),
  'failed-medication-config': blocked(
    1,
    'Medication configuration',
    'Unknown medication: semaglutide',
    refusal('Unknown medication: semaglutide'),
  ),
  'failed-patient-details': blocked(
    2,
    'Find patient in EMR',
    'Patient record is incomplete: phone',
    refusal('Patient record is incomplete: phone'),
  ),
  'failed-prescriber-resolution': blocked(3, 'Choose prescriber', 'No prescriber', refusal('No prescriber')),
  'failed-pharmacy-submission': blocked(
    4,
    'Submit to pharmacy',
    'pharmacy_c rejected the order',
    refusal('pharmacy_c rejected the order'),
  ),
  cancelled: approval(
    {
      says: 'cancelled before step 4 it fails with the reason, and nothing was ordered',
      failure: { details: [{ success: false, error: 'Cancelled by an operator' }] },
      times: { submitToPharmacy: 0, recordOutcome: 1 },
    },
    {
      fetchPatient: async () => {
        await ownRun().cancel();
        return outage();
      },
    },
  ),
  'cancelled-too-late': warning('what was ordered is carried through when it is cancelled', [], {
    submitToPharmacy: async (order) => {
      await ownRun().cancel();
      return good.submitToPharmacy(order);
    },
  }),
  'recorded-answer': approval(
    {
      says: 'a task that was approved before gets the recorded answer, and nothing is done',
      result: recorded,
      calls: ['claimTask'],
    },
    { claimTask: async () => ({ recorded }) },
  ),
  conflict: approval(
    {
      says: 'a task that is held otherwise is a conflict, without a step',
      failure: { type: 'TaskConflict', message: 'Task is being denied' },
      calls: ['claimTask'],
    },
    { claimTask: refusal('Task is being denied', 'TaskConflict') },
  ),
  running: { ...approval({ says: 'it is ordered' }), openAt: 'submitToPharmacy' },
};
