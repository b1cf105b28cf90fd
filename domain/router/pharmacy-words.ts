/** Our codes for the reason of a hold; those of NCPDP's RxChange come first (D100). */
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

/** Our codes for the reason of a denied cancellation (D101). */
export const denialReasons = ['already_shipped', 'already_dispensed', 'not_found', 'other'] as const;
export type DenialReason = (typeof denialReasons)[number];

/** Our codes by the pharmacy's own codes; an unknown one is `other`. */
export interface PharmacyWords {
  holds: ReadonlyMap<string, HoldCode>;
  denials: ReadonlyMap<string, DenialReason>;
}
