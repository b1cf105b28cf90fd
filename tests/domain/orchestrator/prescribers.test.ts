import { expect, test } from '@jest/globals';
import { staticPrescriber } from '../../../domain/orchestrator/prescribers.js';
import { usStates } from '../../../domain/us-states.js';

const statesOfA = ['AK', 'CT', 'HI', 'LA', 'NM', 'NY'];

test.each([...usStates, 'DC'])(
  'the static table gives %s the prescriber of page 1, PrescriberInfo',
  (state) => {
    expect(staticPrescriber(state)).toBe(statesOfA.includes(state) ? 'A' : 'B');
  },
);
