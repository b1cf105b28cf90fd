import { ApplicationFailure } from '@temporalio/common';
import type { PharmacyActivities } from '../../../activities/router/pharmacy.js';
import type { ClaimRequest, SubmissionActivities } from '../../../activities/router/submissions.js';
import { noRouteText } from '../../../domain/router/pharmacy-routing.js';
import { differentPayloadText } from '../../../domain/router/submission.js';
import type { submitPrescription as workflow } from '../../../workflows/router/submit-prescription.js';
import { failingFirst, outage } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf } from '../cases.js';

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

const placed = { pharmacyOrderId: 'a-1', response: '{"orderId":"a-1"}' };

const submission = (replaced: Partial<RouterActivities> = {}, changed: Partial<ClaimRequest> = {}) => {
  const activities: RouterActivities = {
    claimSubmission: async () => ({ pharmacy: 'pharmacy_a', try: 1 }),
    placePharmacyOrder: async () => placed,
    recordSubmissionResult: async () => undefined,
    ...replaced,
  };
  return { args: [{ ...request, ...changed }] as Parameters<typeof workflow>, activities };
};

/** A pharmacy's no, with or without the certainty that there is no order. */
const refusing = (noOrder: boolean) => async () => {
  const refusal = { error: 'UNKNOWN_SKU', response: '{"error":"UNKNOWN_SKU"}', noOrder };
  throw ApplicationFailure.create({
    type: 'Rejected',
    message: 'pharmacy_a rejected the order',
    nonRetryable: true,
    details: [refusal],
  });
};
const refusingClaim = (type: string, message: string) => async () => {
  throw ApplicationFailure.nonRetryable(message, type);
};
const ourOwnFault = () => {
  throw new Error('The database is away');
};

export const submitPrescription: CasesOf<typeof workflow> = {
  accepted: submission(),
  'preferred-pharmacy': submission(
    { claimSubmission: async () => ({ pharmacy: 'pharmacy_b', try: 2 }) },
    { preferredPharmacy: 'pharmacy_b', isTest: true },
  ),
  rejected: submission({ placePharmacyOrder: refusing(true) }),
  'refused-after-silence': submission({ placePharmacyOrder: refusing(false) }),
  unanswered: submission({ placePharmacyOrder: outage }),
  retried: submission({
    claimSubmission: failingFirst(2, async () => ({ pharmacy: 'pharmacy_a' as const, try: 1 })),
    placePharmacyOrder: failingFirst(1, async () => placed),
    recordSubmissionResult: failingFirst(1, async () => undefined),
  }),
  // Three attempts are one scheduling: the fourth call is that of the second.
  'our-own-fault': submission({ placePharmacyOrder: failingFirst(3, async () => placed, ourOwnFault) }),
  'no-route': submission({ claimSubmission: refusingClaim('NoRoute', noRouteText('NY')) }),
  conflict: submission({ claimSubmission: refusingClaim('DuplicateConflict', differentPayloadText) }),
  'recorded-answer': submission({
    claimSubmission: async () => ({
      recorded: {
        submissionId: request.submissionId,
        pharmacy: 'pharmacy_a',
        status: 'submitted',
        pharmacyOrderId: 'a-1',
      },
    }),
  }),
  running: { ...submission(), openAt: 'placePharmacyOrder' },
};
