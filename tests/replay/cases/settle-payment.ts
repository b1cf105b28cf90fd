import { ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../../../domain/failures.js';
import type { settlePayment as workflow } from '../../../workflows/orchestrator/settle-payment.js';
import {
  charge,
  goodActivities,
  type PipelineActivities,
} from '../../workflows/orchestrator/pipeline-activities.js';
import { rxStuck } from '../../../workflows/search-attributes.js';
import { type CasesOf, type Expected, type CheckedCase, ownRun } from '../cases.js';

/** A charge that was not answered is found out about, and never charged again. */
export const settling = (
  findCharge: PipelineActivities['findCharge'],
  expect: Expected,
): CheckedCase<Parameters<typeof workflow>> & { skipTime: true } => ({
  args: [{ attempt: 1, charge }],
  activities: goodActivities({ findCharge }),
  skipTime: true,
  expect: { ...expect, times: { ...expect.times, chargeSavedCard: 0, recordPayment: 1 } },
});

const outcome = { status: 'succeeded', paymentIntentId: 'pi_1' } as const;
let looks = 0;
let failures = 0;

/** The run's details at each attempt after a failed one. */
export const shownAs: (string | undefined)[] = [];

export const settlePayment: CasesOf<typeof workflow> = {
  found: settling(async () => (++looks < 3 ? {} : { outcome }), {
    behavior: 'it is recorded as it turned out once the processor shows it',
    result: 'succeeded',
    inputs: { recordPayment: [{ outcome }] },
  }),
  // The worker says at a failure that it has been failing for minutes (workers/note-stuck.ts).
  stuck: settling(
    async () => {
      shownAs.push((await ownRun().describe()).typedSearchAttributes.get(rxStuck));
      failures += 1;
      if (failures > 9) return { outcome };
      if (failures === 6 || failures === 7) await ownRun().signal('stuck');
      throw ApplicationFailure.create({ type: failureTypes.unavailable, message: 'Stripe answered 503' });
    },
    { behavior: 'it is shown as stuck while the processor is away', result: 'succeeded' },
  ),
  never: settling(async () => ({}), {
    behavior: 'it is failed when it never reached the processor',
    result: 'failed',
    inputs: { recordPayment: [{ outcome: { status: 'failed', paymentIntentId: null } }] },
  }),
};
