import type { PatientCreationActivities } from '../../../activities/patients/creations.js';
import type { MrnActivities } from '../../../activities/patients/emr.js';
import { failureTypes } from '../../../domain/failures.js';
import { mrnExhaustedText } from '../../../domain/patients/patient-directory.js';
import type { createPatient as workflow } from '../../../workflows/patients/create-patient.js';
import { aCreate, aRow } from '../../workflows/patients/patient-activities.js';
import { failingFirst, outage, refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected, CheckedCase } from '../cases.js';

export type Activities = PatientCreationActivities & MrnActivities;

const request = aCreate('00000000-0000-4000-8000-000000000021');
const mrn = '0123456789';

export function creating(
  expect: Expected,
  replaced: Partial<Activities> = {},
): CheckedCase<Parameters<typeof workflow>> {
  const activities: Activities = {
    reserveMrn: async () => ({ mrn, isNew: true }),
    releaseMrn: async () => undefined,
    findPatientsByMrn: async () => [],
    makePatientUnderMrn: async () => ({ emrPatientId: 'emr-1', calledBefore: false }),
    commitPatient: async () => aRow,
    failPatientCreation: async () => undefined,
    ...replaced,
  };
  return { args: [request], activities, expect };
}

/** It fails as unavailable, nothing is committed, and nothing is left in the EMR. */
export const unavailable = (behavior: string, replaced: Partial<Activities>) =>
  creating(
    {
      behavior,
      failure: { type: failureTypes.unavailable },
      times: { commitPatient: 0 },
      inputs: { failPatientCreation: [{ id: request.id, emrPatientIds: [] }] },
    },
    replaced,
  );
/** The number cannot be had, before the EMR is called. */
export const refusedEarly = (type: string, message = 'no') =>
  creating(
    { behavior: 'it ends before the EMR is called', failure: { type, message }, calls: ['reserveMrn'] },
    { reserveMrn: refusal(message, type) },
  );
/** The directory does not take what the EMR holds under these ids. */
export const orphaned = (emrPatientIds: string[], replaced: Partial<Activities> = {}) =>
  creating(
    {
      behavior: 'a commit that cannot happen leaves an orphan entry for what the EMR holds',
      failure: { type: failureTypes.stepFailed },
      inputs: {
        failPatientCreation: [
          {
            id: request.id,
            emrPatientIds,
            reason: 'The directory did not store the patient: The database refused the patient',
          },
        ],
      },
    },
    { commitPatient: refusal('The database refused the patient'), ...replaced },
  );

export const createPatient: CasesOf<typeof workflow> = {
  created: creating({
    behavior: 'the number is reserved before the EMR is called, and looked up before and after',
    result: { patient: aRow, bodyHash: request.bodyHash, replayed: false },
    calls: ['reserveMrn', 'findPatientsByMrn', 'makePatientUnderMrn', 'findPatientsByMrn', 'commitPatient'],
    inputs: {
      commitPatient: [
        {
          patient: { id: request.id, mrn, emrPatientId: 'emr-1' },
          surplusEmrPatientIds: [],
          lookAgain: false,
        },
      ],
    },
  }),
  'recorded-answer': creating(
    {
      behavior: 'a patient that an earlier run made is given again without a call',
      result: { patient: aRow, replayed: true },
      calls: ['reserveMrn'],
    },
    { reserveMrn: async () => ({ recorded: aRow }) },
  ),
  adopted: creating(
    {
      behavior: 'an EMR patient of an earlier try is taken, not made again',
      times: { makePatientUnderMrn: 0 },
      inputs: { commitPatient: [{ patient: { emrPatientId: 'emr-1' } }] },
    },
    {
      reserveMrn: async () => ({ mrn, isNew: false }),
      findPatientsByMrn: async () => ['emr-1', 'emr-2'],
    },
  ),
  'number-taken-in-emr': creating(
    {
      behavior: 'somebody whom the EMR holds under a new number is not taken for the patient',
      failure: { type: failureTypes.mrnExhausted },
      calls: ['reserveMrn', 'findPatientsByMrn', 'releaseMrn'],
    },
    { findPatientsByMrn: async () => ['emr-9'] },
  ),
  'no-number': refusedEarly(failureTypes.mrnExhausted, mrnExhaustedText),
  'emr-down': unavailable('an EMR that cannot be searched', { findPatientsByMrn: outage }),
  'not-made': unavailable('an EMR that takes no patient', { makePatientUnderMrn: outage }),
  'not-committed': orphaned(['emr-1']),
  retried: creating(
    { behavior: 'faults that pass disturb nothing', result: { patient: aRow, replayed: false } },
    {
      reserveMrn: failingFirst(1, async () => ({ mrn, isNew: true })),
      makePatientUnderMrn: failingFirst(1, async () => ({ emrPatientId: 'emr-1', calledBefore: true })),
      commitPatient: failingFirst(1, async () => aRow),
    },
  ),
  running: { ...creating({ behavior: 'it is made' }), openAt: 'makePatientUnderMrn' },
};
