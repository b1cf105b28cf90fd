import { describe } from '@jest/globals';
import { retry, retryCharge } from '../../replay/cases/retry-charge.js';
import { useRuns } from '../runs.js';
import { refusal } from './pipeline-activities.js';

const { testCases } = useRuns('retryCharge');

describe('a charge that is tried again', () => {
  testCases(retryCharge);
  testCases({
    'no card': retry(
      {
        behavior: 'nothing is charged, and it says why',
        calls: ['chargeSavedCard'],
        details: ['The patient has no saved card'],
      },
      { chargeSavedCard: refusal('The patient has no saved card') },
    ),
  });
});
