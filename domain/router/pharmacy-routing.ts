import type { Pharmacy } from '../pharmacies.js';
import { routableStates } from '../us-states.js';

const list = (codes: string): readonly string[] => codes.split(' ');

/** States that no pharmacy serves. */
const excludedStates = list('MN CA AR NC OK');
const pharmacyCStates = list('AL AZ CO CT FL GA IL IN KS KY LA NJ NV NY OH PA TN WI');
const pharmacyBStates = list('TX');

/**
 * The assignments of page 1, Routing configuration, which seed the routing table; from then on the table decides.
 * @returns the pharmacy of a state in upper case, or undefined where there is none
 */
export function assignedPharmacy(state: string): Pharmacy | undefined {
  if (!routableStates.includes(state) || excludedStates.includes(state)) return undefined;
  if (pharmacyCStates.includes(state)) return 'pharmacy_c';
  return pharmacyBStates.includes(state) ? 'pharmacy_b' : 'pharmacy_a';
}

/** Answers a submission for a state that no pharmacy serves (422). */
export const noRouteText = (state: string): string => `No pharmacy route configured for state: ${state}`;
