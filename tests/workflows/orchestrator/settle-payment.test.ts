import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ChargeOutcome } from '../../../integrations/stripe/client.js';
import type { settlePayment } from '../../../workflows/orchestrator/settle-payment.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';
import { charge, failingFirst, goodActivities, type PipelineActivities } from './pipeline-activities.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

async function settle(findCharge: PipelineActivities['findCharge']) {
  const recorded: ChargeOutcome[] = [];
  const { activities, calls } = goodActivities({
    findCharge,
    recordPayment: async ({ outcome }) => void recorded.push(outcome),
  });
  const taskQueue = `settle-${randomUUID()}`;
  const answer = await time.withWorker(taskQueue, activities, () =>
    time.env.client.workflow.execute<typeof settlePayment>('settlePayment', {
      workflowId: `settle-payment:${randomUUID()}`,
      taskQueue,
      args: [{ attempt: 1, charge }],
    }),
  );
  return { answer, recorded, calls };
}

const found = { outcome: { status: 'succeeded' as const, paymentIntentId: 'pi_1' } };

describe('a charge that was not answered', () => {
  it('is recorded as it turned out once the processor shows it', async () => {
    let looks = 0;
    const { answer, recorded } = await settle(async () => (++looks < 3 ? {} : found));
    expect(answer).toBe('succeeded');
    expect(recorded).toEqual([found.outcome]);
  });

  it('is failed when it never reached the processor', async () => {
    const { answer, recorded } = await settle(async () => ({}));
    expect(answer).toBe('failed');
    expect(recorded).toMatchObject([{ status: 'failed', paymentIntentId: null }]);
  });

  it('is asked for through an outage of hours', async () => {
    const { answer } = await settle(failingFirst(40, async () => found));
    expect(answer).toBe('succeeded');
  });

  it('is never charged again', async () => {
    const { calls } = await settle(async () => ({}));
    expect(calls).not.toContain('chargeCard');
  });
});
