import type { IntakePatientActivities } from '../../../activities/intake/emr-patients.js';
import type { findOrCreateEmrPatient as workflow } from '../../../workflows/intake/find-or-create-emr-patient.js';
import { outage, refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected } from '../cases.js';

/** One intake that asks; `found` is what each search finds, the last one over and over. */
function asking(expect: Expected, found: (string | null)[], create: () => string = () => 'patient-1') {
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
      args: [{ submissionId: '00000000-0000-4000-8000-000000000001', namesakeKey: 'namesake' }],
    },
    expect,
  };
}
const made = { emrPatientId: 'patient-1' };
const creating = ['findPatientByEmail', 'createIntakePatient', 'findPatientByEmail'];

export const findOrCreateEmrPatient: CasesOf<typeof workflow> = {
  known: asking(
    {
      behavior: 'it is the one that is there, and nothing is created',
      answer: { emrPatientId: 'patient-0' },
      calls: ['findPatientByEmail'],
    },
    ['patient-0'],
  ),
  created: asking(
    { behavior: 'it is created where there is none, and looked for again', answer: made, calls: creating },
    [null, 'patient-1'],
  ),
  'answer-lost': asking(
    { behavior: 'it is found when the answer to its creation is lost', answer: made, calls: creating },
    [null, 'patient-1'],
    outage,
  ),
  refused: asking(
    {
      behavior: 'an EMR that refuses the intake is told to who asked',
      answer: { error: 'EMR answered 422', isRefused: true },
    },
    [null],
    refusal('EMR answered 422'),
  ),
};
