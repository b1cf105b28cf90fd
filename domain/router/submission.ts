import { clientOfSource } from '../clients.js';
import type { Pharmacy } from '../pharmacies.js';
import type { ArticleChoice, OrderedMedication } from './articles.js';

/** A submitted prescription (page 1, PrescriptionSubmission). Its schema is in `api/router/contract.ts`. */
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
    /** The key of a medication (D123); an article of that key comes before the name (D124). */
    key?: string | undefined;
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

/** The medication of a stored submission. An erased body has lost its key. */
export function orderedMedication(stored: {
  medicationName: string;
  requestPayload: string;
}): OrderedMedication {
  const { medication } = JSON.parse(stored.requestPayload) as Partial<PrescriptionSubmission>;
  return { name: stored.medicationName, key: medication?.key };
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

/**
 * The result of the pharmacy call. After no answer, the order may exist (D21). `missing`: the pharmacy accepted the
 * order and does not have it any more (D138).
 */
export type SubmissionOutcome = 'accepted' | 'rejected' | 'unanswered' | 'missing';

/** `response` is the pharmacy's raw answer. */
export type PharmacyResult =
  { outcome: 'accepted'; pharmacyOrderId: string; response: string } | FailedResult;

export interface FailedResult {
  outcome: 'rejected' | 'unanswered';
  error: string;
  response: string | null;
}

export interface PharmacyCall {
  pharmacy: Pharmacy;
  isTest: boolean;
  requestPayload: string;
  try: number;
  /** Calls with the key of this try, including the next one. */
  calls: number;
  choice: ArticleChoice;
}

/** The 201 answer. */
export type AcceptedAnswer = ReturnType<typeof acceptedAnswer>;

/** The first answer of an accepted submission, whatever its current status. @throws for any other */
export function acceptedAnswer({
  id,
  pharmacy,
  pharmacyOrderId,
}: {
  id: string;
  pharmacy: Pharmacy;
  pharmacyOrderId: string | null;
}) {
  if (pharmacyOrderId === null) throw new Error('Only an accepted submission has an order');
  return { submissionId: id, pharmacy, status: 'submitted' as const, pharmacyOrderId };
}

/** The 502 answer. */
export type FailedAnswer = ReturnType<typeof failedAnswer>;

export const failedAnswer = (submissionId: string, pharmacy: Pharmacy, error: string) => ({
  submissionId,
  pharmacy,
  status: 'failed' as const,
  pharmacyOrderId: null,
  error,
});

/** Response header of a failed submission: `rejected` (no order exists) or `unknown`. */
export const orderOutcomeHeader = 'x-order-outcome';

export const differentPayloadText = 'sourceOrderId already used with a different payload';
export const unknownOutcomeText = 'Outcome of the first submission is unknown';
export const missingOrderText = 'The pharmacy does not have this order';
export const terminatedText = 'Terminated by an operator';

/**
 * The handling of a submission whose order reference was used before (D21). `replay` returns the first answer;
 * `differentPayload` and `unknownOutcome` reject it. `sameTry` calls the pharmacy again with the same key, `nextTry`
 * with a new key, which is safe because no order exists.
 */
export type RepeatVerdict = 'replay' | 'differentPayload' | 'unknownOutcome' | 'sameTry' | 'nextTry';

/** @param first the earlier submission; its outcome is null if its run was terminated before the end */
export function judgeRepeat(
  first: { outcome: SubmissionOutcome | null; payloadHash: string },
  payloadHash: string,
): RepeatVerdict {
  const samePayload = first.payloadHash === payloadHash;
  switch (first.outcome) {
    case 'accepted':
      return samePayload ? 'replay' : 'differentPayload';
    case 'rejected':
    case 'missing':
      return 'nextTry';
    case 'unanswered':
    case null:
      return samePayload ? 'sameTry' : 'unknownOutcome';
  }
}

/**
 * True if a pharmacy's rejection shows that no order exists under the key: a pharmacy that honors the key would have
 * repeated its acceptance. But 409 means that another order has the key. After an unanswered call, 401 and 403 say
 * nothing about the order.
 * @param calls made with this key so far, including the rejected one
 */
export const provesNoOrder = (status: number, calls: number): boolean =>
  status !== 409 && (calls === 1 || (status !== 401 && status !== 403));

/** True for an order of our own orchestrator: its key is ours, whatever others write as their source. */
export const isOwnOrder = ({ source, isOwn }: { source: string; isOwn: boolean }): boolean =>
  isOwn && clientOfSource(source) !== undefined;

/** The reference of a replacement, `<task>~<n>` (D120). The router cannot tell a task that its client named so. */
export const isReplacement = (sourceOrderId: string): boolean => /~\d+$/.test(sourceOrderId);

/** The task that work items of our own order name (D109, D140); nothing for orders of others. */
export function taskReferences(
  order: { source: string; sourceOrderId: string; isOwn: boolean } | undefined,
): Record<string, string> {
  if (!order || !isOwnOrder(order)) return {};
  const client = clientOfSource(order.source) ?? '';
  return { taskId: order.sourceOrderId, ...(client === '' ? {} : { client }) };
}
