import { describe } from '@jest/globals';
import { erasePatient } from '../../replay/cases/erase-patient.js';
import { useRuns } from '../runs.js';

describe('a patient who is erased', () => {
  const { testCases } = useRuns('erasePatient');
  testCases(erasePatient);
  let failures = 0;
  const { erased } = erasePatient;
  testCases({
    outage: {
      ...erased!,
      activities: {
        ...erased!.activities,
        eraseInIntake: async () => {
          failures += 1;
          if (failures < 30) throw new Error('the database is away');
          return { erased: 2, waiting: 0 };
        },
      },
      expect: { behavior: 'an outage of our own is waited out', result: { erased: 12 } },
    },
  });
});
