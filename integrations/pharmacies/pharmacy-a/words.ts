import type { PharmacyWords } from '../../../domain/router/pharmacy-words.js';

export const words: PharmacyWords = {
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
