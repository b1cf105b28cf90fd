import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { activityInfo } from '@temporalio/activity';
import { Worker } from '@temporalio/worker';
import { scheduledAnewInterceptor, triedBefore } from '../../activities/call-limits.js';
import type { PaymentActivities } from '../../activities/orchestrator/payments.js';
import type { retryCharge } from '../../workflows/orchestrator/retry-charge.js';
import { startTimeSkipping, type TimeSkipping } from '../helpers/time-skipping.js';
import { charge, goodActivities } from './orchestrator/pipeline-activities.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

it('an activity that is scheduled anew after its worker was lost has the same input, and is told', async () => {
  const calls: { attempt: number; input: unknown[]; before: boolean }[] = [];
  const chargeCard = async (
    ...input: Parameters<PaymentActivities['chargeCard']>
  ): ReturnType<PaymentActivities['chargeCard']> => {
    calls.push({ attempt: activityInfo().attempt, input, before: triedBefore() });
    // Of a lost worker nothing is heard any more.
    if (calls.length === 1) await new Promise(() => undefined);
    return { status: 'succeeded', paymentIntentId: 'pi_1' };
  };
  const { activities } = goodActivities({
    openCharge: async () => ({ kind: 'charge', attempt: 1, charge, isFirst: true }),
    chargeCard,
  });
  const taskQueue = `lost-${randomUUID()}`;
  const worker = await Worker.create({
    connection: time.env.nativeConnection,
    taskQueue,
    activities,
    workflowBundle: { codePath: process.env['SCRIPTRAIL_TEST_BUNDLE']! },
    interceptors: { activity: [() => ({ inbound: scheduledAnewInterceptor })] },
    debugMode: true,
    // The call that never ends would hold up the worker's end.
    shutdownForceTime: '1 s',
  });
  await worker
    .runUntil(() =>
      time.env.client.workflow.execute<typeof retryCharge>('retryCharge', {
        workflowId: `retry-charge:${randomUUID()}:1`,
        taskQueue,
        args: [{ taskId: 'task', emrPatientId: 'p1', priceCents: 29_900 }],
      }),
    )
    .catch((error: unknown) => {
      if (calls.length < 2) throw error;
    });
  const input = [{ charge, isFirst: true }];
  expect(calls).toEqual([
    { attempt: 1, input, before: false },
    { attempt: 1, input, before: true },
  ]);
});
