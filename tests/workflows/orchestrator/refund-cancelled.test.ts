import { describe } from '@jest/globals';
import { refundCancelled } from '../../replay/cases/refund-cancelled.js';
import { useRuns } from '../runs.js';

describe('the sweep over cancelled tasks', () => {
  const { testCases } = useRuns('refundCancelled');
  testCases(refundCancelled);
});
