import { describe } from '@jest/globals';
import { applyRetention } from '../../replay/cases/apply-retention.js';
import { useRuns } from '../runs.js';

describe('what is past its age', () => {
  const { testCases } = useRuns('applyRetention');
  testCases(applyRetention);
});
