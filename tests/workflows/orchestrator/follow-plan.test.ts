import { describe } from '@jest/globals';
import { followPlan } from '../../replay/cases/follow-plan.js';
import { useRuns } from '../runs.js';

describe('a plan', () => {
  const { testCases } = useRuns('followPlan');
  testCases(followPlan);
});
