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
