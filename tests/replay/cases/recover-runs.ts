import type { Failed, BulkRetryActivities } from '../../../activities/orchestrator/bulk-retry.js';
import type { recoverRuns as workflow } from '../../../workflows/orchestrator/recover-runs.js';
import {
  goodActivities,
  outage,
  type PipelineActivities,
  refusal,
} from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected, CheckedCase } from '../cases.js';

type Functions<A> = {
  [K in keyof A]: A[K] extends (...args: infer I) => infer O ? (...args: I) => O : never;
};
type Activities = PipelineActivities & Functions<BulkRetryActivities>;

const failed: Failed = {
  step: 'payment',
  requestedBy: 'key',
  runId: '00000000-0000-7000-8000-000000000001',
  workflowId: 'approval:failed',
  kind: 'approve',
  reference: 'failed',
  taskId: 'failed',
  detailsHash: 'hash',
  medication: 'semaglutide',
  emrPatientId: 'patient-1',
  dosage: null,
  order: {
    submissionId: '00000000-0000-5000-8000-000000000031',
    pharmacy: 'pharmacy_c',
    pharmacyOrderId: 'c-1',
  },
  charge: { attempt: 1, amountCents: 29_900 },
  noticeAttempt: 0,
  displayName: 'Semaglutide',
  priceCents: 29_900,
  referencePart: 'failed',
  dueOn: '2026-03-01',
};
const counted = { selected: 1, done: 0, succeeded: 0, failed: 0, skipped: 0 };

/** One that failed at this step is tried again. */
const recovering = (
  step: Failed['step'],
  expect: Expected,
  replaced: Partial<Activities> = {},
): CheckedCase<Parameters<typeof workflow>> => ({
  args: ['00000000-0000-4000-8000-000000000041'],
  activities: { ...goodActivities(), ...oneOf({ ...failed, step }), ...replaced },
  expect,
  skipTime: true,
});

/** The recovery of one run: its page is empty once there is a word on it. */
function oneOf(run: Failed | 'skip' | 'stop') {
  let turns = 0;
  return {
    readTurns: async ({ size }: { size: number }) => {
      turns += 1;
      const isOver = size === 0 || turns % 3 !== 1;
      const state = size === 0 ? ('completed' as const) : ('running' as const);
      return { progress: { ...counted, state }, perMinute: 60, positions: isOver ? [] : [1] };
    },
    readFailed: async () => run,
    fetchContact: async () => ({ name: 'Ada Test', email: 'ada@example.test' }),
    recordRecovered: async () => undefined,
    recordNotice: async () => undefined,
    endRecovery: async () => undefined,
    recordSettledLabel: async () => undefined,
  };
}

const end = { endRecovery: [{ state: 'completed' }] };

export const recoverRuns: CasesOf<typeof workflow> = {
  charged: recovering('payment', {
    behavior: 'a charge is made again, and its payment says what came of it',
    inputs: { recordRecovered: [{ position: 1, outcome: 'charged' }], ...end },
    times: { chargeSavedCard: 1, createLabel: 0, notifyPatient: 0, submitToPharmacy: 0 },
  }),
  shipped: recovering('shipment', {
    behavior: 'a label is made for the address that was ordered, and nothing else',
    inputs: { recordRecovered: [{ position: 1, outcome: 'succeeded' }], ...end },
    times: {
      readAddressee: 1,
      createLabel: 1,
      recordSettledLabel: 1,
      fetchPatient: 0,
      chargeSavedCard: 0,
      notifyPatient: 0,
      submitToPharmacy: 0,
    },
  }),
  told: recovering('notification', {
    behavior: 'the patient is told, and nothing else',
    inputs: { recordRecovered: [{ position: 1, outcome: 'succeeded' }], ...end },
    times: { notifyPatient: 1, recordNotice: 1, chargeSavedCard: 0, createLabel: 0, submitToPharmacy: 0 },
  }),
  approved: recovering('patient_details', {
    behavior: 'an approval is made again under its own id',
    inputs: { recordRecovered: [{ position: 1, outcome: 'succeeded' }], ...end },
    times: { claimTask: 1, submitToPharmacy: 1, chargeSavedCard: 1 },
  }),
  'not-due': recovering(
    'patient_details',
    {
      behavior: 'what was moved or skipped since it was selected is left alone',
      inputs: { recordRecovered: [{ position: 1, outcome: 'skipped' }], ...end },
      times: { submitToPharmacy: 0 },
    },
    { claimTask: refusal('The refill was moved or skipped', 'NotDue') },
  ),
  'failed-again': recovering(
    'shipment',
    {
      behavior: 'what fails again is told as failed',
      inputs: { recordRecovered: [{ position: 1, outcome: 'failed' }], ...end },
    },
    { createLabel: outage },
  ),
  skipped: recovering(
    'payment',
    {
      behavior: 'what is not failed any more is left alone',
      inputs: { recordRecovered: [{ position: 1, outcome: 'skipped' }], ...end },
      times: { chargeSavedCard: 0 },
    },
    oneOf('skip'),
  ),
  stopped: recovering(
    'payment',
    { behavior: 'nothing is begun once it was cancelled', times: { chargeSavedCard: 0, recordRecovered: 0 } },
    oneOf('stop'),
  ),
};
