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
    recordRejectedPart: async () => undefined,
    ...replaced,
  };
  const args: Parameters<typeof workflow> = ['task'];
  return { args, activities, expect };
}

const failedRefund = { status: 'failed', refundId: 're_1', amountCents: 29_900 };
const rejected = refusal('The processor answered 400') as () => Promise<never>;

function twoParts(): Partial<Activities> {
  let found = 0;
  return {
    findOwedRefund: async () => {
      found += 1;
      if (found > 2) return { kind: 'nothing' as const };
      const { kind, refund } = owedRefund();
      return { kind, refund: { ...refund, partCents: 500, part: found } };
    },
    refundCharge: async ({ part }) => {
      if (part === 2) return rejected();
      return 29_900;
    },
  };
}

export const giveBack: CasesOf<typeof workflow> = {
  given: giving({
    behavior: 'what was paid is given back once',
    calls: ['findOwedRefund', 'refundCharge', 'recordRefund'],
    inputs: { recordRefund: [{ taskId: 'task', refundedCents: 29_900, makesUp: [], part: null }] },
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
  'failed-at-once': giving(
    {
      behavior: 'a refund that failed at once is recorded with its id, which the next report of it names',
      calls: ['findOwedRefund', 'refundCharge', 'recordRefusedRefund'],
      inputs: { recordRefusedRefund: [{ taskId: 'task', failed: failedRefund }] },
      details: ['refund was rejected'],
    },
    { refundCharge: refusal('The refund failed at once', 'Rejected', failedRefund) },
  ),
  parts: giving(
    {
      behavior: 'what somebody asked for is refunded one after the other, and a rejected part ends nothing',
      calls: [
        ...['findOwedRefund', 'refundCharge', 'recordRefund'],
        ...['findOwedRefund', 'refundCharge', 'recordRejectedPart', 'findOwedRefund'],
      ],
      inputs: {
        recordRefund: [{ taskId: 'task', refundedCents: 29_900, makesUp: [], part: 1 }],
        recordRejectedPart: [{ taskId: 'task', part: 2 }],
      },
    },
    twoParts(),
  ),
};
