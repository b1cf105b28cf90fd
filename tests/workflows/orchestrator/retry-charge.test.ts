import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import type { ChargeOutcome } from '../../../integrations/stripe/client.js';
import { settlePaymentWorkflowId } from '../../../workflows/ids.js';
import type { retryCharge } from '../../../workflows/orchestrator/retry-charge.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';
import { charge, goodActivities, outage, type PipelineActivities, refusal } from './pipeline-activities.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

/** Charges a task again against these activities. */
async function retry(replaced: Partial<PipelineActivities> = {}) {
  const recorded: { attempt: number; outcome: ChargeOutcome }[] = [];
  const { activities, calls } = goodActivities({
    openCharge: async () => ({
      kind: 'charge',
      attempt: 2,
      charge: { ...charge, chargeKey: 'charge:task:2' },
      isFirst: true,
    }),
    recordPayment: async ({ attempt, outcome }) => void recorded.push({ attempt, outcome }),
    ...replaced,
  });
  const taskQueue = `retry-${randomUUID()}`;
  const workflowId = `retry-charge:${randomUUID()}:2`;
  // One that never lets the clock run on its own: a follow-up outlives its run, which this server does not get over.
  const client = new Client({ connection: time.env.connection });
  const details = await time.withWorker(taskQueue, activities, async () => {
    const handle = await client.workflow.start<typeof retryCharge>('retryCharge', {
      workflowId,
      taskQueue,
      args: [{ taskId: 'task', emrPatientId: 'p1', priceCents: 29_900 }],
    });
    await handle.result();
    return (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
  });
  return { recorded, calls, details, workflowId, client };
}

describe('a charge that is tried again', () => {
  it('is made under the next number, and its verdict recorded there', async () => {
    const keys: string[] = [];
    const { recorded, details } = await retry({
      chargeCard: async ({ charge }) => {
        keys.push(charge.chargeKey);
        return { status: 'succeeded', paymentIntentId: 'pi_2' };
      },
    });
    expect(keys).toEqual(['charge:task:2']);
    expect(recorded).toEqual([{ attempt: 2, outcome: { status: 'succeeded', paymentIntentId: 'pi_2' } }]);
    expect(details).toContain('Charged');
  });

  it('and declined again is an answer, not a failed run', async () => {
    const { recorded, calls, details } = await retry({
      chargeCard: async () => ({ status: 'failed', paymentIntentId: 'pi_2', reason: 'card_declined' }),
    });
    expect(recorded).toMatchObject([{ attempt: 2, outcome: { status: 'failed' } }]);
    expect(calls.filter((name) => name === 'chargeCard')).toHaveLength(1);
    expect(details).toContain('Card declined: card_declined');
  });

  it('without a saved card charges nothing and says why', async () => {
    const { calls, details } = await retry({ openCharge: refusal('The patient has no saved card') });
    expect(calls).toEqual(['openCharge']);
    expect(details).toContain('The patient has no saved card');
  });

  it('asks the processor for the coupon first', async () => {
    const { calls } = await retry({
      openCharge: async ({ coupon }) =>
        coupon === undefined
          ? { kind: 'coupon', couponId: 'C' }
          : { kind: 'charge', attempt: 2, charge, isFirst: true },
    });
    expect(calls).toEqual(['openCharge', 'findCoupon', 'openCharge', 'chargeCard', 'recordPayment']);
  });

  it('and not answered is followed up by a run of its own', async () => {
    const { recorded, calls, workflowId, client } = await retry({ chargeCard: outage });
    expect([recorded, calls.filter((name) => name === 'chargeCard').length]).toEqual([[], 3]);
    const followUp = client.workflow.getHandle(settlePaymentWorkflowId(workflowId, 2));
    expect((await followUp.describe()).type).toBe('settlePayment');
    await followUp.terminate();
  });
});
