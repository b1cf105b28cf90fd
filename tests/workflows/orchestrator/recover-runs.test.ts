import { describe } from '@jest/globals';
import { recoverRuns } from '../../replay/cases/recover-runs.js';
import { useRuns } from '../runs.js';

const { testCases } = useRuns('recoverRuns');

describe('what failed together', () => {
  testCases(recoverRuns);
});
