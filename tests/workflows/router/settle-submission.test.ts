import { describe } from '@jest/globals';
import { settleSubmission } from '../../replay/cases/settle-submission.js';
import { useRuns } from '../runs.js';

const { testCases } = useRuns('settleSubmission');

describe('an order whose outcome is unknown', () => {
  testCases(settleSubmission);
});
