import type { RefundActivities } from '../../../activities/orchestrator/refunds.js';
import type { refundCancelled as workflow } from '../../../workflows/orchestrator/refund-cancelled.js';
import { goodActivities } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected } from '../cases.js';
import { owedRefund } from './cancel-approval.js';

/** A sweep whose first page has these references. */
function sweep(expect: Expected, references: readonly string[]) {
  const page = references.map((reference) => ({ reference, taskId: reference, part: reference }));
  const activities: Omit<RefundActivities, 'recordRefusedRefund' | 'recordRejectedPart'> = {
    listUnrefunded: async ({ after }) => (after === '' ? page : []),
    findOwedRefund: async () => owedRefund(),
    refundCharge: async () => 29_900,
    recordRefund: async () => undefined,
  };
  return { expect, args: [] as [], activities: { ...goodActivities(), ...activities } };
}

export const refundCancelled: CasesOf<typeof workflow> = {
  nothing: sweep(
    {
      behavior: 'a day on which all is refunded has nothing to do',
      result: { started: 0 },
      calls: ['listUnrefunded'],
    },
    [],
  ),
  refunded: sweep(
    {
      behavior: 'each cancelled task that is not refunded gets one run that refunds it',
      result: { started: 1 },
      times: { listUnrefunded: 2 },
    },
    ['unrefunded-1'],
  ),
};
