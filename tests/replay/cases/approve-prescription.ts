import { ApplicationFailure } from '@temporalio/common';
import type { PipelineResult } from '../../../domain/orchestrator/pipeline.js';
import type { approvePrescription as workflow } from '../../../workflows/orchestrator/approve-prescription.js';
import {
  failingFirst,
  goodActivities,
  outage,
  type PipelineActivities,
  refusal,
  unanswered,
} from '../../workflows/orchestrator/pipeline-activities.js';
import { type CasesOf, type Expected, type CheckedCase, ownRun } from '../cases.js';

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

const untilOrdered = ['claimTask', 'fetchPatient', 'resolvePrescriber', 'submitToPharmacy'];
const afterwards = ['chargeSavedCard', 'shipOrder', 'notifyPatient', 'recordOutcome'];
const allCalls = [...untilOrdered, ...afterwards];

export function approval(
  expect: Expected,
  replaced: Partial<PipelineActivities> = {},
  dosage?: string,
): CheckedCase<Parameters<typeof workflow>> {
  const task = { taskId: 'task', medication: 'semaglutide', emrPatientId: 'patient-1', detailsHash: 'hash' };
  return {
    args: [{ ...task, ...(dosage === undefined ? {} : { dosage }) }],
    activities: goodActivities(replaced),
    expect,
  };
}

/** An approval that succeeds with these warnings. */
export const warning = (
  behavior: string,
  warnings: readonly string[],
  replaced: Partial<PipelineActivities>,
  expected: Partial<Expected> = {},
) => approval({ behavior, result: { ...result, warnings }, ...expected }, replaced);

/** An approval that fails at a blocking step: red, with the reason, and no later step is tried. */
export function blocked(
  n: 2 | 3 | 4,
  name: string,
  { error, code }: { error: string; code: string },
  fail: () => never,
  attempts = 1,
) {
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
      behavior: `the run is red, says why, and no step after ${n} is tried`,
      failure: { type: 'StepFailed', message: `Step ${n}/7 ${name}: ${error}`, details: [answer, code] },
      calls: [...before, ...Array<string>(attempts).fill(activity), 'recordOutcome'],
    },
    { [activity]: fail },
  );
}

const good = goodActivities();

/** A run that is begun with the order of an earlier one. */
export function carryingOn(expect: Expected, replaced: Partial<PipelineActivities>) {
  const { args, ...rest } = approval(expect, replaced);
  const placed = { submissionId, pharmacy: 'pharmacy_c', pharmacyOrderId: 'case-1' };
  const settled = { placed, patientName: 'Ada Test', state: 'NY', requestedBy: 'approvals' };
  return { ...rest, args: [{ ...args[0], settled }] as Parameters<typeof workflow> };
}
const submissionId = '00000000-0000-5000-8000-000000000001';

export const approvePrescription: CasesOf<typeof workflow> = {
  'pharmacy-c': approval(
    {
      behavior: 'it runs the seven steps in order and answers with what was done',
      result: { ...result, submissionId },
      calls: allCalls,
    },
    {},
    'inject 20 units SQ weekly',
  ),
  'pharmacy-b': approval(
    {
      behavior: 'a pharmacy that ships by itself gets no label',
      calls: allCalls,
    },
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
      chargeSavedCard: refusal('The patient has no saved card'),
      shipOrder: refusal('The address is unknown'),
      notifyPatient: refusal('No channel could deliver the notification'),
    },
    { calls: allCalls },
  ),
  declined: warning(
    'an answered decline is warned of and never tried again',
    ['payment_failed'],
    { chargeSavedCard: refusal('Card declined: card_declined', 'Declined') },
    { calls: allCalls, details: ['Card declined: card_declined'] },
  ),
  'unanswered-charge': warning(
    'a charge that is not answered is warned of and followed up by a run of its own',
    ['payment_failed'],
    { chargeSavedCard: unanswered },
    { times: { chargeSavedCard: 3, recordPayment: 0 }, openChildren: ['settlePayment'] },
  ),
  'lost-label': warning(
    'a label that is not answered is warned of and followed up by a run of its own',
    ['shipment_failed'],
    { shipOrder: unanswered },
    { times: { shipOrder: 3, notifyPatient: 1 }, openChildren: ['settleShipment'] },
  ),
  'carried-on': carryingOn(
    {
      behavior: 'an order that turned out to exist is carried on from step 5, with all seven steps done',
      result: { ...result, submissionId },
      calls: [
        ...['claimTask', 'chargeSavedCard', 'readAddressee', 'shipOrder', 'fetchContact', 'notifyPatient'],
        'recordOutcome',
      ],
    },
    {},
  ),
  'carried-on-without-patient': carryingOn(
    {
      behavior:
        'an order that turned out to exist is charged for and gets its label though its patient cannot be read any more',
      result: { ...result, submissionId, warnings: ['notification_failed'] },
      times: { chargeSavedCard: 1, shipOrder: 1, notifyPatient: 0, fetchContact: 1 },
    },
    { fetchContact: refusal('Patient not found in EMR', 'NotFound') },
  ),
  'order-unknown': approval(
    {
      behavior: 'a run whose order may exist is red, and its record names the submission',
      failure: { type: 'StepFailed' },
      inputs: { recordOutcome: [{ unknownSubmissionId: submissionId }] },
      details: ['The router checks if the order exists'],
    },
    {
      submitToPharmacy: async () => {
        throw ApplicationFailure.create({
          type: 'Rejected',
          message: 'No answer in time',
          nonRetryable: true,
          details: [{ unknownId: submissionId }],
        });
      },
    },
  ),
  retried: warning('faults that pass disturb nothing', [], {
    claimTask: failingFirst(1, good.claimTask),
    fetchPatient: failingFirst(2, good.fetchPatient),
    submitToPharmacy: failingFirst(1, good.submitToPharmacy),
    chargeSavedCard: failingFirst(1, good.chargeSavedCard),
    shipOrder: failingFirst(2, good.shipOrder),
    notifyPatient: failingFirst(1, good.notifyPatient),
    recordOutcome: failingFirst(2, good.recordOutcome),
  }),
  'failed-medication-config': approval(
    {
      behavior: 'a medication that nobody knows is red at step 1, and no step after it is tried',
      failure: {
        type: 'StepFailed',
        message: 'Step 1/7 Medication configuration: Unknown medication: semaglutide',
        details: [
          { success: false, failedStep: 'medication_config', completedSteps: [] },
          'unknown_medication',
        ],
      },
      calls: ['claimTask', 'recordOutcome'],
      inputs: {
        recordOutcome: [{ failedApproval: { reason: 'unknown_medication', canReroute: false } }],
      },
    },
    { claimTask: async () => ({ config: null }) },
  ),
  'failed-patient-details': blocked(
    2,
    'Find patient in EMR',
    { error: 'Patient record is incomplete: phone', code: 'patient_incomplete' },
    refusal('Patient record is incomplete: phone'),
  ),
  'failed-prescriber-resolution': blocked(
    3,
    'Choose prescriber',
    { error: 'No prescriber', code: 'internal' },
    refusal('No prescriber'),
  ),
  'failed-pharmacy-submission': blocked(
    4,
    'Submit to pharmacy',
    { error: 'pharmacy_c rejected the order', code: 'order_rejected' },
    refusal('pharmacy_c rejected the order'),
  ),
  cancelled: approval(
    {
      behavior: 'cancelled before step 4 it fails with the reason, and nothing was ordered',
      failure: { details: [{ success: false, error: 'Cancelled by an operator' }, 'cancelled'] },
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
      behavior: 'a task that was approved before gets the recorded answer, and nothing is done',
      result: recorded,
      calls: ['claimTask'],
    },
    { claimTask: async () => ({ recorded }) },
  ),
  conflict: approval(
    {
      behavior: 'a task that is held otherwise is a conflict, without a step',
      failure: { type: 'TaskConflict', message: 'Task is being denied' },
      calls: ['claimTask'],
    },
    { claimTask: refusal('Task is being denied', 'TaskConflict') },
  ),
  running: { ...approval({ behavior: 'it is ordered' }), openAt: 'submitToPharmacy' },
};
