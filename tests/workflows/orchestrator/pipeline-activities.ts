import { ApplicationFailure } from '@temporalio/common';
import type { LostChargeActivities, PaymentActivities } from '../../../activities/orchestrator/payments.js';
import type { LabelActivities } from '../../../activities/orchestrator/lost-labels.js';
import type { NotificationActivities } from '../../../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../../../activities/orchestrator/patients.js';
import type { PharmacyActivities } from '../../../activities/orchestrator/pharmacy.js';
import type { PrescriberActivities } from '../../../activities/orchestrator/prescribers.js';
import type { ReplacementActivities } from '../../../activities/orchestrator/replacements.js';
import type { ShipmentActivities } from '../../../activities/orchestrator/shipments.js';
import type { TaskActivities } from '../../../activities/orchestrator/tasks.js';
import { builtInMedication } from '../../../domain/orchestrator/medications.js';

/** As functions, which a test may take out and put others in the place of. */
type Functions<A> = {
  [K in keyof A]: A[K] extends (...args: infer I) => infer O ? (...args: I) => O : never;
};

export type PipelineActivities = Functions<
  TaskActivities &
    PatientActivities &
    PrescriberActivities &
    PharmacyActivities &
    PaymentActivities &
    LostChargeActivities &
    ShipmentActivities &
    Pick<LabelActivities, 'createLabel'> &
    Pick<ReplacementActivities, 'readAddressee'> &
    NotificationActivities
>;

export const charge = {
  chargeKey: 'charge:task:1',
  taskId: 'task',
  customerId: 'cus_1',
  paymentMethodId: 'pm_1',
  amountCents: 29_900,
  currency: 'usd',
};

const address = { line1: '1 Main St', city: 'New York', state: 'NY', zip: '10001' };
const contact = { name: 'Ada Test', email: 'ada@example.test', phone: '2125550100' };

/** Activities of a run in which everything goes well for a pharmacy_c order; a test replaces what it is about. */
export function goodActivities(replaced: Partial<PipelineActivities> = {}): PipelineActivities {
  return {
    claimTask: async () => ({ config: builtInMedication('semaglutide')! }),
    recordOutcome: async () => undefined,
    fetchPatient: async () => ({
      firstName: 'Ada',
      lastName: 'Test',
      dob: '1990-01-31',
      gender: 'female',
      phone: '2125550100',
      email: 'ada@example.test',
      address,
      contact,
    }),
    fetchContact: async () => contact,
    readAddressee: async () => ({ firstName: 'Ada', lastName: 'Test', phone: '2125550100', address }),
    resolvePrescriber: async () => ({
      firstName: 'P',
      lastName: 'A',
      suffix: 'FNP-C',
      npi: '1234567890',
      emrPractitionerId: 'x',
    }),
    submitToPharmacy: async () => ({
      submissionId: '00000000-0000-5000-8000-000000000001',
      pharmacy: 'pharmacy_c',
      pharmacyOrderId: 'case-1',
    }),
    chargeSavedCard: async () => undefined,
    findCharge: async () => ({}),
    recordPayment: async () => undefined,
    createLabel: async () => ({ shipmentId: 's', trackingNumber: '1Z', carrier: 'ups' }),
    shipOrder: async () => undefined,
    notifyPatient: async () => undefined,
    ...replaced,
  };
}

export const outage = () => {
  throw ApplicationFailure.create({ type: 'Unavailable', message: 'The other side answered 503' });
};
/** The processor is silent for the last time that it is asked. */
export const unanswered = () => {
  throw ApplicationFailure.create({
    type: 'Unavailable',
    message: 'The other side answered 503',
    nonRetryable: true,
    details: [{ attempt: 1, charge }],
  });
};
export const refusal =
  (message = 'No', type = 'Rejected', ...details: unknown[]) =>
  () => {
    throw ApplicationFailure.create({ type, message, nonRetryable: true, details });
  };
/** One of our own services is away. */
export const ownOutage = () => {
  throw ApplicationFailure.create({ type: 'OwnOutage', message: 'The router answered 503' });
};
/** A fault of our own, which uses up no attempt of the other side's. */
export const ownFault = () => {
  throw new Error('The database is away');
};

/** Fails the first `times` calls, then does as `activity`. */
export function failingFirst<I, O>(
  times: number,
  activity: (input: I) => Promise<O>,
  fail: () => never = outage,
) {
  let failures = 0;
  return async (input: I): Promise<O> => (failures++ < times ? fail() : activity(input));
}
