import { describe } from '@jest/globals';
import { checkSilence } from '../../replay/cases/check-silence.js';
import { followHold } from '../../replay/cases/follow-hold.js';
import { useRuns } from '../runs.js';

describe('a hold', () => {
  const { testCases } = useRuns('followHold');
  testCases(followHold);
});

describe('a check for silence', () => {
  const { testCases } = useRuns('checkSilence');
  testCases(checkSilence);
});
