import type { settlePayment as workflow } from '../../../workflows/orchestrator/settle-payment.js';
import {
  charge,
  goodActivities,
  type PipelineActivities,
} from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf } from '../cases.js';

const settling = (findCharge: PipelineActivities['findCharge']) => ({
  args: [{ attempt: 1, charge }] as Parameters<typeof workflow>,
  activities: goodActivities({ findCharge }).activities,
  skipTime: true as const,
});

let looks = 0;

export const settlePayment: CasesOf<typeof workflow> = {
  found: settling(async () =>
    ++looks < 3 ? {} : { outcome: { status: 'succeeded', paymentIntentId: 'pi_1' } },
  ),
  never: settling(async () => ({})),
};
