import { describe } from '@jest/globals';
import { closeDay } from '../../replay/cases/close-day.js';
import { useRuns } from '../runs.js';

describe('the daily close', () => {
  const { testCases } = useRuns('closeDay');
  testCases(closeDay);
});
