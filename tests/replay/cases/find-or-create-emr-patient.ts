import { ApplicationFailure } from '@temporalio/common';
import type { IntakePatientActivities } from '../../../activities/intake/emr-patients.js';
import { failureTypes } from '../../../domain/failures.js';
import type { findOrCreateEmrPatient as workflow } from '../../../workflows/intake/find-or-create-emr-patient.js';
import type { CasesOf } from '../cases.js';

/** One intake that asks; `found` is what each search finds, the last one over and over. */
function asking(found: (string | null)[], create: () => string = () => 'patient-1') {
  let searches = 0;
  const activities: IntakePatientActivities = {
    findPatientByEmail: async () => found[Math.min(searches++, found.length - 1)] ?? null,
    createIntakePatient: async () => create(),
  };
  return {
    args: [] as Parameters<typeof workflow>,
    activities,
    startedBy: {
      update: 'findOrCreate',
      args: [{ submissionId: '00000000-0000-4000-8000-000000000001' }],
    },
  };
}
const failing = (type: string, message: string, nonRetryable: boolean) => () => {
  throw ApplicationFailure.create({ type, message, nonRetryable });
};

export const findOrCreateEmrPatient: CasesOf<typeof workflow> = {
  known: asking(['patient-0']),
  created: asking([null, 'patient-1']),
  'answer-lost': asking(
    [null, 'patient-1'],
    failing(failureTypes.unavailable, 'EMR could not be reached', false),
  ),
  refused: asking([null], failing(failureTypes.rejected, 'EMR answered 422', true)),
};
