import type { Pharmacy } from '../pharmacies.js';

/** A caller hands this in (page 1, PrescriptionSubmission). `api/router/contract.ts` is the schema for it. */
export interface PrescriptionSubmission {
  source: string;
  sourceOrderId: string;
  callbackUrl: string;
  patient: {
    firstName: string;
    lastName: string;
    dob: string;
    gender: 'male' | 'female';
    phone: string;
    email?: string | undefined;
  };
  shipTo: {
    firstName: string;
    lastName: string;
    phone: string;
    addressLine1: string;
    addressLine2?: string | undefined;
    city: string;
    state: string;
    zip: string;
  };
  prescriber: {
    firstName: string;
    lastName: string;
    npi: string;
    deaNumber?: string | undefined;
    licenseNumber?: string | undefined;
    licenseState?: string | undefined;
    phone?: string | undefined;
    fax?: string | undefined;
    email?: string | undefined;
    address?: { line1: string; city: string; state: string; zip: string } | undefined;
    signatureBase64?: string | undefined;
  };
  medication: {
    name: string;
    sig: string;
    quantity: number;
    daysSupply: number;
    refills: number;
    clinicalJustification?: string | undefined;
    note?: string | undefined;
  };
  routing?: { patientState?: string | undefined; preferredPharmacy?: Pharmacy | undefined } | undefined;
  test?: boolean | undefined;
  clinical?:
    | {
        allergies?: ClinicalFacts | undefined;
        conditions?: ClinicalFacts | undefined;
        medications?: ClinicalFacts | undefined;
        billTo?: 'patient' | 'practice' | undefined;
      }
    | undefined;
}

export interface ClinicalFacts {
  known: boolean;
  entries?: string[] | undefined;
}

export const submissionStatuses = [
  'submitted',
  'failed',
  'shipped',
  'delivered',
  'cancelled',
  'processing',
] as const;
export type SubmissionStatus = (typeof submissionStatuses)[number];

/** The pharmacy call ended like this. Without an answer the order may exist all the same (D21). */
export type SubmissionOutcome = 'accepted' | 'rejected' | 'unanswered';

/** The pharmacy's word, or that there was none; `response` is its raw answer. */
export type PharmacyResult =
  { outcome: 'accepted'; pharmacyOrderId: string; response: string } | FailedResult;

export interface FailedResult {
  outcome: 'rejected' | 'unanswered';
  error: string;
  response: string | null;
}

/** A call to the pharmacy is made from this. */
export interface PharmacyCall {
  pharmacy: Pharmacy;
  isTest: boolean;
  requestPayload: string;
  try: number;
  /** Calls made with the key of this try, the coming one included. */
  calls: number;
}

/** The 201 answer. */
export interface AcceptedAnswer {
  submissionId: string;
  pharmacy: Pharmacy;
  status: 'submitted';
  pharmacyOrderId: string;
}

/** The first answer of an accepted submission, whatever its status is by now. @throws for any other */
export function acceptedAnswer({
  id,
  pharmacy,
  pharmacyOrderId,
}: {
  id: string;
  pharmacy: Pharmacy;
  pharmacyOrderId: string | null;
}): AcceptedAnswer {
  if (pharmacyOrderId === null) throw new Error('Only an accepted submission has an order');
  return { submissionId: id, pharmacy, status: 'submitted', pharmacyOrderId };
}

/** The 502 answer. */
export interface FailedAnswer {
  submissionId: string;
  pharmacy: Pharmacy;
  status: 'failed';
  pharmacyOrderId: null;
  error: string;
}

export const failedAnswer = (submissionId: string, pharmacy: Pharmacy, error: string): FailedAnswer => ({
  submissionId,
  pharmacy,
  status: 'failed',
  pharmacyOrderId: null,
  error,
});

/** Says of an answer without an order whether there is none (`rejected`) or nobody knows (`unknown`). */
export const orderOutcomeHeader = 'x-order-outcome';

export const differentPayloadText = 'sourceOrderId already used with a different payload';
export const unknownOutcomeText = 'Outcome of the first submission is unknown';
/** The outcome of a submission whose run was ended from outside. */
export const terminatedText = 'Terminated by an operator';

/**
 * What becomes of a submission whose order reference was used before (D21):
 * `replay` the first answer; `differentPayload` and `unknownOutcome` are refused; `sameTry` asks the pharmacy again
 * with the key it may know already; `nextTry` asks with a new one, which is safe because no order exists.
 */
export type RepeatVerdict = 'replay' | 'differentPayload' | 'unknownOutcome' | 'sameTry' | 'nextTry';

/** @param first how the earlier submission ended; null for one that a terminated run left in mid-flight */
export function judgeRepeat(
  first: { outcome: SubmissionOutcome | null; payloadHash: string },
  payloadHash: string,
): RepeatVerdict {
  const samePayload = first.payloadHash === payloadHash;
  switch (first.outcome) {
    case 'accepted':
      return samePayload ? 'replay' : 'differentPayload';
    case 'rejected':
      return 'nextTry';
    case 'unanswered':
    case null:
      return samePayload ? 'sameTry' : 'unknownOutcome';
  }
}

/**
 * Whether a pharmacy's refusal shows that no order exists under the key. A pharmacy that honours the key would have
 * repeated its acceptance; but 409 says that the key stands for another order, and 401 or 403 may say nothing about
 * the order at all, which matters once an earlier call with the key went unanswered.
 * @param calls made with this key so far, the refused one included
 */
export const provesNoOrder = (status: number, calls: number): boolean =>
  status !== 409 && (calls === 1 || (status !== 401 && status !== 403));

/** True for an order of our own orchestrator. Only our own keys have the request limit 0. */
export const isOwnOrder = (order: { source: string; requestsPerMinute: number | null }): boolean =>
  order.source === 'orchestrator' && order.requestsPerMinute === 0;
