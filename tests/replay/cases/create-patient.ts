import { ApplicationFailure } from '@temporalio/common';
import type { PatientCreationActivities } from '../../../activities/patients/creations.js';
import type { MrnActivities } from '../../../activities/patients/emr.js';
import { mrnExhaustedText } from '../../../domain/patients/patient-directory.js';
import type { createPatient as workflow } from '../../../workflows/patients/create-patient.js';
import { aCreate, aRow } from '../../workflows/patients/patient-activities.js';
import { failingFirst, outage } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf } from '../cases.js';

type Activities = PatientCreationActivities & MrnActivities;

const creating = (replaced: Partial<Activities> = {}) => {
  const activities: Activities = {
    reserveMrn: async () => ({ mrn: '0123456789', isNew: true }),
    releaseMrn: async () => undefined,
    findPatientsByMrn: async () => [],
    makePatientUnderMrn: async () => ({ emrPatientId: 'emr-1', calledBefore: false }),
    commitPatient: async () => aRow,
    failPatientCreation: async () => undefined,
    ...replaced,
  };
  const args: Parameters<typeof workflow> = [aCreate('00000000-0000-4000-8000-000000000021')];
  return { args, activities };
};
const refusing = (type: string, message: string) => async () => {
  throw ApplicationFailure.nonRetryable(message, type);
};

export const createPatient: CasesOf<typeof workflow> = {
  created: creating(),
  'recorded-answer': creating({ reserveMrn: async () => ({ recorded: aRow }) }),
  adopted: creating({
    reserveMrn: async () => ({ mrn: '0123456789', isNew: false }),
    findPatientsByMrn: async () => ['emr-1', 'emr-2'],
  }),
  'number-taken-in-emr': creating({ findPatientsByMrn: async () => ['emr-9'] }),
  'no-number': creating({ reserveMrn: refusing('MrnExhausted', mrnExhaustedText) }),
  'emr-down': creating({ findPatientsByMrn: outage }),
  'not-made': creating({ makePatientUnderMrn: outage }),
  'not-committed': creating({ commitPatient: refusing('Rejected', 'The database refused the patient') }),
  retried: creating({
    reserveMrn: failingFirst(1, async () => ({ mrn: '0123456789', isNew: true })),
    makePatientUnderMrn: failingFirst(1, async () => ({ emrPatientId: 'emr-1', calledBefore: true })),
    commitPatient: failingFirst(1, async () => aRow),
  }),
  running: { ...creating(), openAt: 'makePatientUnderMrn' },
};
