import { ApplicationFailure } from '@temporalio/common';
import type { PharmacyActivities } from '../../../activities/router/pharmacy.js';
import type { ClaimRequest, SubmissionActivities } from '../../../activities/router/submissions.js';
import { noRouteText } from '../../../domain/pharmacies.js';
import { differentPayloadText } from '../../../domain/router/submission.js';
import type { submitPrescription as workflow } from '../../../workflows/router/submit-prescription.js';
import { failingFirst, outage, ownFault, refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected, CheckedCase } from '../cases.js';

type RouterActivities = SubmissionActivities & PharmacyActivities;

const request: ClaimRequest = {
  submissionId: '00000000-0000-5000-8000-000000000003',
  claimId: '00000000-0000-4000-8000-000000000004',
  apiKeyId: 'clinic',
  source: 'clinic',
  sourceOrderId: 'order-1',
  callbackUrl: 'https://clinic.test/callback',
  patientState: 'NY',
  medicationName: 'semaglutide',
  preferredPharmacy: null,
  isTest: false,
  payloadHash: 'hash',
};

const recorded = {
  submissionId: request.submissionId,
  pharmacy: 'pharmacy_a' as const,
  status: 'submitted' as const,
  pharmacyOrderId: 'a-1',
};
const placed = { pharmacyOrderId: 'a-1', response: '{"orderId":"a-1"}' };

export function submission(
  expect: Expected,
  replaced: Partial<RouterActivities> = {},
  changed: Partial<ClaimRequest> = {},
): CheckedCase<Parameters<typeof workflow>> {
  const activities: RouterActivities = {
    claimSubmission: async () => ({ pharmacy: 'pharmacy_a', try: 1 }),
    placePharmacyOrder: async () => placed,
    recordSubmissionResult: async () => undefined,
    ...replaced,
  };
  return { args: [{ ...request, ...changed }], activities, expect };
}

/** The result is recorded once, as this. */
const settled = (result: object) => ({ recordSubmissionResult: [{ result }] });
const answered = (pharmacy: string) => ({
  result: { replayed: false, answer: { pharmacy, status: 'submitted', pharmacyOrderId: 'a-1' } },
});
/** The run fails with the answer of a 502. */
const failed = (type: string, error: string) => ({
  type,
  details: [
    {
      submissionId: request.submissionId,
      pharmacy: 'pharmacy_a',
      status: 'failed',
      pharmacyOrderId: null,
      error,
    },
  ],
});
/** An order that is placed once `faults` of our own are over, which use up none of the pharmacy's calls. */
export const afterOwnFaults = (faults: number) =>
  submission(
    {
      behavior: `${faults} faults of our own are waited out`,
      ...answered('pharmacy_a'),
      inputs: settled({ outcome: 'accepted', ...placed }),
    },
    { placePharmacyOrder: failingFirst(faults, async () => placed, ownFault) },
  );

/** A pharmacy's no, with or without the certainty that there is no order. */
const refusing = (noOrder: boolean) => async () => {
  throw ApplicationFailure.create({
    type: 'Rejected',
    message: 'pharmacy_a rejected the order',
    nonRetryable: true,
    details: [{ error: 'UNKNOWN_SKU', response: '{"error":"UNKNOWN_SKU"}', noOrder }],
  });
};
const refusedClaim = (type: string, message: string) =>
  submission(
    {
      behavior: 'it fails before the pharmacy is asked',
      failure: { type, message },
      calls: ['claimSubmission'],
    },
    { claimSubmission: refusal(message, type) },
  );

export const submitPrescription: CasesOf<typeof workflow> = {
  accepted: submission({
    behavior: 'it is recorded as accepted before it is answered',
    ...answered('pharmacy_a'),
    calls: ['claimSubmission', 'placePharmacyOrder', 'recordSubmissionResult'],
    inputs: settled({ outcome: 'accepted', ...placed }),
  }),
  'preferred-pharmacy': submission(
    { behavior: 'it is answered with the pharmacy of its claim', ...answered('pharmacy_b') },
    { claimSubmission: async () => ({ pharmacy: 'pharmacy_b', try: 2 }) },
    { preferredPharmacy: 'pharmacy_b', isTest: true },
  ),
  rejected: submission(
    {
      behavior: 'a no is asked for once, recorded, and fails the run with the 502 answer',
      failure: failed('Rejected', 'UNKNOWN_SKU'),
      times: { placePharmacyOrder: 1 },
      inputs: settled({ outcome: 'rejected', error: 'UNKNOWN_SKU', response: '{"error":"UNKNOWN_SKU"}' }),
    },
    { placePharmacyOrder: refusing(true) },
  ),
  'refused-after-silence': submission(
    {
      behavior: 'a no that does not prove that there is no order is recorded as unanswered',
      failure: failed('Unavailable', 'UNKNOWN_SKU'),
      inputs: settled({ outcome: 'unanswered', error: 'UNKNOWN_SKU' }),
    },
    { placePharmacyOrder: refusing(false) },
  ),
  unanswered: submission(
    {
      behavior: 'a pharmacy that does not answer is asked three times, and that is recorded',
      failure: failed('Unavailable', 'The other side answered 503'),
      times: { placePharmacyOrder: 3 },
      inputs: settled({ outcome: 'unanswered', error: 'The other side answered 503', response: null }),
    },
    { placePharmacyOrder: outage },
  ),
  'taken-over': submission(
    {
      behavior: 'of one whose first call was made elsewhere the pharmacy is asked twice more',
      failure: failed('Unavailable', 'The other side answered 503'),
      times: { placePharmacyOrder: 2 },
    },
    { placePharmacyOrder: outage },
    { takesOver: '00000000-0000-4000-8000-000000000005' },
  ),
  retried: submission(
    { behavior: 'faults that pass disturb nothing', ...answered('pharmacy_a') },
    {
      claimSubmission: failingFirst(2, async () => ({ pharmacy: 'pharmacy_a' as const, try: 1 })),
      placePharmacyOrder: failingFirst(1, async () => placed),
      recordSubmissionResult: failingFirst(1, async () => undefined),
    },
  ),
  // The first call is made inside the workflow task, and three are those of one scheduling.
  'our-own-fault': afterOwnFaults(3),
  'no-route': refusedClaim('NoRoute', noRouteText('NY')),
  conflict: refusedClaim('DuplicateConflict', differentPayloadText),
  'recorded-answer': submission(
    {
      behavior: 'one that was accepted before is answered without asking the pharmacy',
      result: { replayed: true, answer: recorded },
      calls: ['claimSubmission'],
    },
    { claimSubmission: async () => ({ recorded }) },
  ),
  running: { ...submission({ behavior: 'the order is placed' }), openAt: 'placePharmacyOrder' },
};
