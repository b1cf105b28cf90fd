import type { settlePayment as workflow } from '../../../workflows/orchestrator/settle-payment.js';
import {
  charge,
  goodActivities,
  type PipelineActivities,
} from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected, JudgedCase } from '../cases.js';

/** A charge that was not answered is found out about, and never charged again. */
export const settling = (
  findCharge: PipelineActivities['findCharge'],
  expect: Expected,
): JudgedCase<Parameters<typeof workflow>> & { skipTime: true } => ({
  args: [{ attempt: 1, charge }],
  activities: goodActivities({ findCharge }),
  skipTime: true,
  expect: { ...expect, times: { ...expect.times, chargeSavedCard: 0, recordPayment: 1 } },
});

const outcome = { status: 'succeeded', paymentIntentId: 'pi_1' } as const;
let looks = 0;

export const settlePayment: CasesOf<typeof workflow> = {
  found: settling(async () => (++looks < 3 ? {} : { outcome }), {
    says: 'it is recorded as it turned out once the processor shows it',
    result: 'succeeded',
    inputs: { recordPayment: [{ outcome }] },
  }),
  never: settling(async () => ({}), {
    says: 'it is failed when it never reached the processor',
    result: 'failed',
    inputs: { recordPayment: [{ outcome: { status: 'failed', paymentIntentId: null } }] },
  }),
};
