import type { retryCharge as workflow } from '../../../workflows/orchestrator/retry-charge.js';
import {
  goodActivities,
  type PipelineActivities,
  refusal,
  unanswered,
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
    says: 'it is charged',
    calls: ['chargeSavedCard'],
    details: ['Charged'],
  }),
  declined: retry(
    {
      says: 'declined again is an answer, not a failed run, and not tried again',
      calls: ['chargeSavedCard'],
      details: ['Card declined: card_declined'],
    },
    { chargeSavedCard: refusal('Card declined: card_declined', 'Declined') },
  ),
  unanswered: retry(
    {
      says: 'not answered it is followed up by a run of its own',
      times: { chargeSavedCard: 3, recordPayment: 0 },
      leaves: ['settlePayment'],
    },
    { chargeSavedCard: unanswered },
  ),
  running: { ...retry({ says: 'the card is charged' }), openAt: 'chargeSavedCard' },
};
