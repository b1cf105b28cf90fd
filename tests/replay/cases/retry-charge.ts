import type { retryCharge as workflow } from '../../../workflows/orchestrator/retry-charge.js';
import {
  goodActivities,
  outage,
  type PipelineActivities,
} from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected, JudgedCase } from '../cases.js';

export const retry = (
  expect: Expected,
  replaced: Partial<PipelineActivities> = {},
): JudgedCase<Parameters<typeof workflow>> => ({
  args: [{ taskId: 'task', emrPatientId: 'patient-1', priceCents: 29_900 }],
  activities: goodActivities(replaced),
  expect,
});

export const retryCharge: CasesOf<typeof workflow> = {
  charged: retry({
    says: 'it is charged, and the verdict recorded',
    calls: ['openCharge', 'chargeCard', 'recordPayment'],
    details: ['Charged'],
  }),
  declined: retry(
    {
      says: 'declined again is an answer, not a failed run, and not tried again',
      calls: ['openCharge', 'chargeCard', 'recordPayment'],
      inputs: { recordPayment: [{ outcome: { status: 'failed' } }] },
      details: ['Card declined: card_declined'],
    },
    { chargeCard: async () => ({ status: 'failed', paymentIntentId: 'pi_1', reason: 'card_declined' }) },
  ),
  'nothing-due': retry(
    { says: 'nothing is charged where nothing is due', calls: ['openCharge'] },
    { openCharge: async () => ({ kind: 'nothing' }) },
  ),
  unanswered: retry(
    {
      says: 'not answered it is followed up by a run of its own',
      times: { chargeCard: 3, recordPayment: 0 },
      leaves: ['settlePayment'],
    },
    { chargeCard: outage },
  ),
  running: { ...retry({ says: 'the card is charged' }), openAt: 'chargeCard' },
};
