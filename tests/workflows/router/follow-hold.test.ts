import { describe } from '@jest/globals';
import { checkSilence } from '../../replay/cases/check-silence.js';
import { followHold } from '../../replay/cases/follow-hold.js';
import { useRuns } from '../runs.js';

describe('a hold', () => {
  const { judge } = useRuns('followHold');
  judge(followHold);
});

describe('a check for silence', () => {
  const { judge } = useRuns('checkSilence');
  judge(checkSilence);
});
