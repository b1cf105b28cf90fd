import { describe } from '@jest/globals';
import { afterOwnFaults, submitPrescription } from '../../replay/cases/submit-prescription.js';
import { useRuns } from '../runs.js';

const { judge } = useRuns('submitPrescription');

describe('a submission', () => {
  judge(submitPrescription);
  judge({ 'database down': afterOwnFaults(30) });
});
