import type { DenialActivities } from '../../../activities/orchestrator/tasks.js';
import type { NotificationActivities } from '../../../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../../../activities/orchestrator/patients.js';
import type {
  Denial,
  denyPrescription as workflow,
} from '../../../workflows/orchestrator/deny-prescription.js';
import { failingFirst, refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected, CheckedCase } from '../cases.js';

type Activities = DenialActivities & NotificationActivities & Pick<PatientActivities, 'fetchContact'>;
const contact = { name: 'Ada Test', email: 'ada@example.test', phone: '2125550100' };
const full: Denial = { taskId: 'task', reason: 'No reason', emrPatientId: 'patient-1' };

export function denial(
  expect: Expected,
  replaced: Partial<Activities> = {},
  asked = full,
): CheckedCase<Parameters<typeof workflow>> {
  const activities: Activities = {
    claimDenial: async () => true,
    fetchContact: async () => contact,
    notifyPatient: async () => undefined,
    finishDenial: async () => undefined,
    ...replaced,
  };
  return { args: [asked], activities, expect };
}

/** The denial stands, and later approvals are let through, although the patient is not told. */
export const untold = (replaced: Partial<Activities>, expected: Partial<Expected> = {}) =>
  denial(
    {
      behavior: 'it stands all the same',
      result: { repeated: false },
      times: { finishDenial: 1 },
      ...expected,
    },
    replaced,
  );

export const denyPrescription: CasesOf<typeof workflow> = {
  told: denial({
    behavior: 'it is recorded first, then the patient is told the reason, then approvals are let through',
    result: { repeated: false },
    calls: ['claimDenial', 'fetchContact', 'notifyPatient', 'finishDenial'],
    inputs: {
      notifyPatient: [{ type: 'prescription_denied', contact, variables: { reason: 'No reason' } }],
    },
  }),
  'nobody-named': denial(
    {
      behavior: 'without a patient it is recorded, and nobody is looked up or told',
      result: { repeated: false },
      calls: ['claimDenial', 'finishDenial'],
    },
    {},
    { taskId: 'task', reason: 'No reason' },
  ),
  'not-told': untold(
    { notifyPatient: refusal('No channel could deliver the notification') },
    { times: { notifyPatient: 1, finishDenial: 1 } },
  ),
  retried: denial(
    {
      behavior: 'faults that pass disturb nothing',
      result: { repeated: false },
      times: { notifyPatient: 1 },
    },
    {
      fetchContact: failingFirst(2, async () => contact),
      finishDenial: failingFirst(1, async () => undefined),
    },
  ),
  repeated: denial(
    {
      behavior: 'a task that was denied before says so, and nobody is told again',
      result: { repeated: true },
      calls: ['claimDenial'],
    },
    { claimDenial: async () => false },
  ),
  conflict: denial(
    {
      behavior: 'a task that an approval holds is a conflict, and nobody is told',
      failure: { type: 'TaskConflict', message: 'Task already approved' },
      calls: ['claimDenial'],
    },
    { claimDenial: refusal('Task already approved', 'TaskConflict') },
  ),
  running: { ...denial({ behavior: 'the patient is told' }), openAt: 'notifyPatient' },
};
