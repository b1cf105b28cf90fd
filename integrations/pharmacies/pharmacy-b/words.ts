import type { PharmacyWords } from '../../../domain/router/pharmacy-words.js';

/** Codes of NCPDP, and the pharmacy's own where NCPDP has none. */
export const words: PharmacyWords = {
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
