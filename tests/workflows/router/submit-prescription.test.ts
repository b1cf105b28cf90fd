import { describe } from '@jest/globals';
import { afterOwnFaults, submitPrescription } from '../../replay/cases/submit-prescription.js';
import { useRuns } from '../runs.js';

const { testCases } = useRuns('submitPrescription');

describe('a submission', () => {
  testCases(submitPrescription);
  testCases({ 'database down': afterOwnFaults(30) });
});
