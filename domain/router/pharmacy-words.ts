/** Why a pharmacy has stopped, in our words; those of NCPDP's RxChange first (D100). */
export const holdCodes = [
  'generic_substitution',
  'prior_authorization',
  'therapeutic_interchange',
  'drug_use_review',
  'clarify_prescription',
  'out_of_stock',
  'prescriber_authorization',
  'clarify_patient',
  'clarify_address',
  'too_soon',
  'other',
] as const;
export type HoldCode = (typeof holdCodes)[number];

/** Why a pharmacy does not cancel, in our words (D101). */
export const denialReasons = ['already_shipped', 'already_dispensed', 'not_found', 'other'] as const;
export type DenialReason = (typeof denialReasons)[number];

/** What a pharmacy's own words mean; one that is not among them is `other`. */
export interface PharmacyWords {
  holds: ReadonlyMap<string, HoldCode>;
  denials: ReadonlyMap<string, DenialReason>;
}

export const pharmacyAWords: PharmacyWords = {
  holds: new Map([
    ['generic-substitution', 'generic_substitution'],
    ['prior-auth', 'prior_authorization'],
    ['therapeutic-interchange', 'therapeutic_interchange'],
    ['dur-review', 'drug_use_review'],
    ['clarify-rx', 'clarify_prescription'],
    ['out-of-stock', 'out_of_stock'],
    ['prescriber-auth', 'prescriber_authorization'],
    ['clarify-patient', 'clarify_patient'],
    ['clarify-address', 'clarify_address'],
    ['refill-too-soon', 'too_soon'],
  ]),
  denials: new Map([
    ['already-shipped', 'already_shipped'],
    ['already-dispensed', 'already_dispensed'],
    ['not-found', 'not_found'],
  ]),
};

/** NCPDP's own types, and words for what those do not say. */
export const pharmacyBWords: PharmacyWords = {
  holds: new Map([
    ['G', 'generic_substitution'],
    ['P', 'prior_authorization'],
    ['T', 'therapeutic_interchange'],
    ['D', 'drug_use_review'],
    ['S', 'clarify_prescription'],
    ['OS', 'out_of_stock'],
    ['U', 'prescriber_authorization'],
    ['PATIENT', 'clarify_patient'],
    ['ADDRESS', 'clarify_address'],
    ['TOO_SOON', 'too_soon'],
  ]),
  denials: new Map([
    ['SHIPPED', 'already_shipped'],
    ['DISPENSED', 'already_dispensed'],
    ['UNKNOWN', 'not_found'],
  ]),
};
