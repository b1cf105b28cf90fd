import { describe } from '@jest/globals';
import { failureTypes } from '../../../domain/failures.js';
import {
  createPatient,
  creating,
  orphaned,
  refusedEarly,
  unavailable,
} from '../../replay/cases/create-patient.js';
import { failingFirst, outage, ownFault, refusal } from '../orchestrator/pipeline-activities.js';
import { useRuns } from '../runs.js';
import { aRow } from './patient-activities.js';

const { testCases } = useRuns('createPatient');

/** Finds nobody at first, and later these. */
const foundLater = (...ids: string[]) => {
  let searches = 0;
  return async () => (++searches === 1 ? [] : ids);
};
/** Finds nobody at first, and then does not answer. */
const thenAway = () => {
  let searches = 0;
  return async () => (++searches === 1 ? [] : outage());
};
const committed = (of: object) => ({ commitPatient: [of] });

describe('a patient that is created', () => {
  testCases(createPatient);
  testCases({
    'never answered': creating(
      {
        behavior: 'the create is found by its number',
        times: { makePatientUnderMrn: 3 },
        inputs: committed({ patient: { emrPatientId: 'emr-1' }, lookAgain: true }),
      },
      { makePatientUnderMrn: outage, findPatientsByMrn: foundLater('emr-1') },
    ),
    surplus: creating(
      {
        behavior: 'what raced in beside the patient is handed on',
        inputs: committed({ patient: { emrPatientId: 'emr-1' }, surplusEmrPatientIds: ['emr-0'] }),
      },
      { findPatientsByMrn: foundLater('emr-0', 'emr-1') },
    ),
    'second search fails': creating(
      {
        behavior: 'the patient is not lost',
        inputs: committed({ patient: { emrPatientId: 'emr-1' }, lookAgain: true }),
      },
      { findPatientsByMrn: thenAway() },
    ),
    'EMR refuses': unavailable('it fails as unavailable', {
      makePatientUnderMrn: refusal('EMR answered 422'),
    }),
    'surplus not committed': orphaned(['emr-1', 'emr-0'], {
      findPatientsByMrn: foundLater('emr-0', 'emr-1'),
    }),
    'database down': creating(
      {
        behavior: 'an outage before or after the EMR call is waited out',
        result: { patient: aRow },
        times: { makePatientUnderMrn: 1 },
      },
      {
        reserveMrn: failingFirst(7, async () => ({ mrn: '0123456789', isNew: true }), ownFault),
        commitPatient: failingFirst(7, async () => aRow, ownFault),
      },
    ),
    'organization closed': refusedEarly(failureTypes.organizationClosed),
    conflict: refusedEarly(failureTypes.duplicateConflict),
  });
});
