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

/** Usual spellings of words and carriers, in the form that {@link plainWord} compares (D155). */
const spellings: ReadonlyMap<string, string> = new Map([
  ['canceled', 'cancelled'],
  ['priorauthorization', 'priorauth'],
  ['priorauthorisation', 'priorauth'],
  ['prescriberauthorization', 'prescriberauth'],
  ['prescriberauthorisation', 'prescriberauth'],
  ['federalexpress', 'fedex'],
  ['unitedparcelservice', 'ups'],
  ['unitedstatespostalservice', 'usps'],
  ['uspostalservice', 'usps'],
]);

/** The form in which pharmacies' words are compared: without case, blanks, `-` and `_`, in one spelling (D155). */
function plainWord(said: string): string {
  const plain = said.toLowerCase().replace(/[\s_-]+/g, '');
  return spellings.get(plain) ?? plain;
}

export const isSameWord = (one: string, other: string): boolean => plainWord(one) === plainWord(other);

/** The known word that a pharmacy means, in whatever usual spelling; undefined if it means none. */
export const knownWord = <W extends string>(words: Iterable<W>, said: string): W | undefined =>
  [...words].find((word) => isSameWord(word, said));

/** Our code for a pharmacy's word. */
export function codeOf<C>(codes: ReadonlyMap<string, C>, said: string): C | undefined {
  const word = knownWord(codes.keys(), said);
  return word === undefined ? undefined : codes.get(word);
}

/** Our codes by the pharmacy's own codes; an unknown one is `other`. */
export interface PharmacyWords {
  holds: ReadonlyMap<string, HoldCode>;
  denials: ReadonlyMap<string, DenialReason>;
}
