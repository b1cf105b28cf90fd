import { describe } from '@jest/globals';
import { settleSubmission } from '../../replay/cases/settle-submission.js';
import { useRuns } from '../runs.js';

const { judge } = useRuns('settleSubmission');

describe('an order whose outcome is unknown', () => {
  judge(settleSubmission);
});
