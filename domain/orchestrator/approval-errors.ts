import { type FailureType, failureTypes } from '../failures.js';
import { cancelledText, operatorCancelledText } from './cancellation.js';
import type { PipelineStep } from './pipeline.js';

/** Why an approval failed, as its work item names it (D137). */
export type ApprovalErrorCode =
  | 'unknown_medication'
  | 'patient_not_found'
  | 'patient_incomplete'
  | 'patient_inactive'
  | 'patient_deceased'
  | 'patient_merged'
  | 'no_pharmacy_route'
  | 'medication_not_at_pharmacy'
  | 'order_rejected'
  | 'order_unknown'
  | 'emr_unavailable'
  | 'cancelled'
  | 'internal';

/** The texts of steps 2 and 4 begin with these words, which the specification fixes. */
const codesByText: readonly (readonly [RegExp, ApprovalErrorCode])[] = [
  [/^Patient not found in EMR/, 'patient_not_found'],
  [/^Patient record is incomplete/, 'patient_incomplete'],
  [/^Patient is inactive in EMR/, 'patient_inactive'],
  [/^Patient is deceased in EMR/, 'patient_deceased'],
  [/^Patient was merged in EMR/, 'patient_merged'],
  [/^No pharmacy route/, 'no_pharmacy_route'],
  [
    /^(?:Unknown SKU|Ambiguous medication for|No article of)|has no catalog id for this medication$/,
    'medication_not_at_pharmacy',
  ],
];

/** The code of a blocking step's failure. @param type undefined if the run was cancelled */
export function approvalErrorCode(
  { step, reason, type }: { step: PipelineStep; reason: string; type?: FailureType | undefined },
  isOrderUnknown: boolean,
): ApprovalErrorCode {
  if (reason === cancelledText || reason === operatorCancelledText) return 'cancelled';
  if (isOrderUnknown) return 'order_unknown';
  if (step === 'medication_config') return 'unknown_medication';
  const known = codesByText.find(([text]) => text.test(reason));
  if (known) return known[1];
  if (step === 'patient_details') return 'emr_unavailable';
  return step === 'pharmacy_submission' && type === failureTypes.rejected ? 'order_rejected' : 'internal';
}

const departures: readonly ApprovalErrorCode[] = ['patient_deceased', 'patient_merged', 'patient_inactive'];

/** Why a refill failed, as its work item names it (D116): how the patient left (D117), else the failed step. */
export const refillReason = (step: PipelineStep, code: ApprovalErrorCode): string =>
  departures.includes(code) ? code : step;

/** The router rejected an order without keeping it, so a pharmacy may be named for it (D116). */
export const isUnplaced = (error: string | null): boolean => {
  const failed = { step: 'pharmacy_submission' as const, reason: error ?? '' };
  return ['no_pharmacy_route', 'medication_not_at_pharmacy'].includes(approvalErrorCode(failed, false));
};
