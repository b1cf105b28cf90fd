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
import { type CasesOf, ownRun } from '../cases.js';

const patient = { firstName: 'Ada', lastName: 'Test' };
const recorded: PipelineResult = {
  success: true,
  completedSteps: ['medication_config', 'patient_details', 'prescriber_resolution', 'pharmacy_submission'],
  warnings: [],
  medication: 'Semaglutide 5mg/mL',
  patientName: `${patient.firstName} ${patient.lastName}`,
  state: 'NY',
};

const approval = (replaced: Partial<PipelineActivities> = {}, dosage?: string) => ({
  args: [
    {
      taskId: 'task',
      medication: 'semaglutide',
      emrPatientId: 'patient-1',
      detailsHash: 'hash',
      ...(dosage === undefined ? {} : { dosage }),
    },
  ] as Parameters<typeof workflow>,
  activities: goodActivities(replaced).activities,
});

const good = (name: keyof PipelineActivities) =>
  goodActivities().activities[name] as (input: unknown) => Promise<never>;

export const approvePrescription: CasesOf<typeof workflow> = {
  'pharmacy-c': approval({}, 'inject 20 units SQ weekly'),
  'pharmacy-b': approval({
    submitToPharmacy: async () => ({
      submissionId: '00000000-0000-5000-8000-000000000002',
      pharmacy: 'pharmacy_b',
      pharmacyOrderId: 'b-1',
    }),
  }),
  warned: approval({
    openCharge: refusal('The patient has no saved card'),
    createLabel: refusal('The address is unknown'),
    notifyPatient: refusal('No channel could deliver the notification'),
  }),
  declined: approval({
    chargeCard: async () => ({ status: 'failed', paymentIntentId: 'pi_1', reason: 'card_declined' }),
  }),
  'charge-refused': approval({ chargeCard: refusal('The processor refused the request') }),
  'nothing-due': approval({ openCharge: async () => ({ kind: 'nothing' }) }),
  coupon: approval({
    openCharge: async ({ coupon }) =>
      coupon === undefined
        ? { kind: 'coupon', couponId: 'WELCOME25' }
        : { kind: 'charge', attempt: 1, charge: { ...charge, amountCents: 22_425 }, isFirst: true },
    findCoupon: async () => ({
      coupon: { percentOff: 25, amountOffCents: null, once: true, valid: true },
    }),
  }),
  'unanswered-charge': approval({ chargeCard: outage }),
  retried: approval({
    claimTask: failingFirst(1, good('claimTask')),
    fetchPatient: failingFirst(2, good('fetchPatient')),
    submitToPharmacy: failingFirst(1, good('submitToPharmacy')),
    chargeCard: failingFirst(1, good('chargeCard')),
    recordProgress: outage,
    recordOutcome: failingFirst(2, good('recordOutcome')),
  }),
  'failed-medication-config': approval({ loadMedicationConfig: refusal('Unknown medication: semaglutide') }),
  'failed-patient-details': approval({ fetchPatient: refusal('Patient record is incomplete: phone') }),
  'failed-prescriber-resolution': approval({ resolvePrescriber: refusal('No prescriber') }),
  'failed-pharmacy-submission': approval({ submitToPharmacy: refusal('pharmacy_c rejected the order') }),
  cancelled: approval({
    fetchPatient: async () => {
      await ownRun().cancel();
      return outage();
    },
  }),
  'cancelled-too-late': approval({
    submitToPharmacy: async () => {
      await ownRun().cancel();
      return good('submitToPharmacy')({});
    },
  }),
  'recorded-answer': approval({ claimTask: async () => ({ recorded }) }),
  conflict: approval({
    claimTask: async () => {
      throw ApplicationFailure.nonRetryable('Task is being denied', 'TaskConflict');
    },
  }),
  running: { ...approval(), openAt: 'submitToPharmacy' },
};
