import { describe } from '@jest/globals';
import { refundCancelled } from '../../replay/cases/refund-cancelled.js';
import { useRuns } from '../runs.js';

// A server of its own: a sweep that continued as new leaves its refunds behind, which no later case may see.
describe('the sweep over cancelled tasks', () => {
  useRuns('refundCancelled').testCases(refundCancelled);
});
