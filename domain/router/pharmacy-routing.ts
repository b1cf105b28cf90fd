import type { Pharmacy } from '../pharmacies.js';
import { routableStates } from '../us-states.js';

const list = (codes: string): readonly string[] => codes.split(' ');

const excludedStates = list('MN CA AR NC OK');
const pharmacyCStates = list('AL AZ CO CT FL GA IL IN KS KY LA NJ NV NY OH PA TN WI');
const pharmacyBStates = list('TX');

/** Seeds the routing table (page 1, Routing configuration). @param state in upper case */
export function assignedPharmacy(state: string): Pharmacy | undefined {
  if (!routableStates.includes(state) || excludedStates.includes(state)) return undefined;
  if (pharmacyCStates.includes(state)) return 'pharmacy_c';
  return pharmacyBStates.includes(state) ? 'pharmacy_b' : 'pharmacy_a';
}

export const noRouteText = (state: string): string => `No pharmacy route configured for state: ${state}`;
