import { ApplicationFailure } from '@temporalio/common';
import type { DenialActivities } from '../../../activities/orchestrator/denials.js';
import type { NotificationActivities } from '../../../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../../../activities/orchestrator/patients.js';
import type { denyPrescription as workflow } from '../../../workflows/orchestrator/deny-prescription.js';
import { failingFirst, refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf } from '../cases.js';

type Activities = DenialActivities & NotificationActivities & Pick<PatientActivities, 'fetchContact'>;
const contact = { name: 'Ada Test', email: 'ada@example.test', phone: '2125550100' };

const denial = (replaced: Partial<Activities> = {}, emrPatientId: string | undefined = 'patient-1') => {
  const activities: Activities = {
    claimDenial: async () => true,
    fetchContact: async () => contact,
    notifyPatient: async () => undefined,
    finishDenial: async () => undefined,
    ...replaced,
  };
  const patient = emrPatientId === '' ? {} : { emrPatientId };
  return {
    args: [{ taskId: 'task', reason: 'No reason', ...patient }] as Parameters<typeof workflow>,
    activities,
  };
};

export const denyPrescription: CasesOf<typeof workflow> = {
  told: denial(),
  'nobody-named': denial({}, ''),
  'not-told': denial({ notifyPatient: refusal('No channel could deliver the notification') }),
  retried: denial({
    fetchContact: failingFirst(2, async () => contact),
    finishDenial: failingFirst(1, async () => undefined),
  }),
  repeated: denial({ claimDenial: async () => false }),
  conflict: denial({
    claimDenial: async () => {
      throw ApplicationFailure.nonRetryable('Task already approved', 'TaskConflict');
    },
  }),
  running: { ...denial(), openAt: 'notifyPatient' },
};
