import type { LostChargeActivities } from '../../../activities/orchestrator/payments.js';
import type { RefundActivities } from '../../../activities/orchestrator/refunds.js';
import type { giveBack as workflow } from '../../../workflows/orchestrator/give-back.js';
import { refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected } from '../cases.js';
import { owedRefund } from './cancel-approval.js';

type Activities = RefundActivities & LostChargeActivities;

function giving(expect: Expected, replaced: Partial<Activities> = {}) {
  const activities = {
    findOwedRefund: async () => owedRefund(),
    refundCharge: async () => 29_900,
    recordRefund: async () => undefined,
    recordRefusedRefund: async () => undefined,
    ...replaced,
  };
  const args: Parameters<typeof workflow> = ['task'];
  return { args, activities, expect };
}

export const giveBack: CasesOf<typeof workflow> = {
  given: giving({
    behavior: 'what was paid is given back once',
    calls: ['findOwedRefund', 'refundCharge', 'recordRefund'],
    inputs: { recordRefund: [{ taskId: 'task', refundedCents: 29_900, makesUp: [] }] },
  }),
  nothing: giving(
    { behavior: 'nothing is given back where nothing is owed', calls: ['findOwedRefund'] },
    { findOwedRefund: async () => ({ kind: 'nothing' as const }) },
  ),
  refused: giving(
    {
      behavior: 'a refund that is refused again waits for a person again',
      calls: ['findOwedRefund', 'refundCharge', 'recordRefusedRefund'],
      details: ['refund was rejected'],
    },
    { refundCharge: refusal('The processor answered 400') },
  ),
};
