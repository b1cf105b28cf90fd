import type { retryCharge as workflow } from '../../../workflows/orchestrator/retry-charge.js';
import {
  goodActivities,
  type PipelineActivities,
  refusal,
  unanswered,
} from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected, CheckedCase } from '../cases.js';

export const retry = (
  expect: Expected,
  replaced: Partial<PipelineActivities> = {},
): CheckedCase<Parameters<typeof workflow>> => ({
  args: [{ taskId: 'task', emrPatientId: 'patient-1', priceCents: 29_900 }],
  activities: goodActivities(replaced),
  expect,
});

export const retryCharge: CasesOf<typeof workflow> = {
  charged: retry({
    behavior: 'it is charged',
    calls: ['chargeSavedCard'],
    details: ['Charged'],
  }),
  declined: retry(
    {
      behavior: 'declined again is an answer, not a failed run, and not tried again',
      calls: ['chargeSavedCard'],
      details: ['Card declined: card_declined'],
    },
    { chargeSavedCard: refusal('Card declined: card_declined', 'Declined') },
  ),
  unanswered: retry(
    {
      behavior: 'not answered it is followed up by a run of its own',
      times: { chargeSavedCard: 3, recordPayment: 0 },
      openChildren: ['settlePayment'],
    },
    { chargeSavedCard: unanswered },
  ),
  running: { ...retry({ behavior: 'the card is charged' }), openAt: 'chargeSavedCard' },
};
