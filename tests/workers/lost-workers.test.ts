import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { activityInfo } from '@temporalio/activity';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { scheduledAnewInterceptor, triedBefore } from '../../activities/call-limits.js';
import type { PaymentActivities } from '../../activities/orchestrator/payments.js';
import { workflowBundle } from '../../workers/bundle.js';
import type { retryCharge } from '../../workflows/orchestrator/retry-charge.js';
import { shared } from '../helpers/client.js';
import { charge, goodActivities } from '../workflows/orchestrator/pipeline-activities.js';

// On the real server: the time-skipping one retries such time-outs by itself.
let connection: NativeConnection;
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  connection = await NativeConnection.connect({ address: shared().temporal.address });
});
afterAll(() => connection.close());

test('an activity that is scheduled anew after its worker was lost has the same input, and is told', async () => {
  const calls: { attempt: number; input: unknown[]; before: boolean }[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const chargeCard = async (
    ...input: Parameters<PaymentActivities['chargeCard']>
  ): ReturnType<PaymentActivities['chargeCard']> => {
    calls.push({ attempt: activityInfo().attempt, input, before: triedBefore() });
    // Of a lost worker nothing is heard until its time is over.
    if (calls.length === 1) await released;
    else release();
    return { status: 'succeeded', paymentIntentId: 'pi_1' };
  };
  const activities = goodActivities({
    openCharge: async () => ({ kind: 'charge', attempt: 1, charge, isFirst: true }),
    chargeCard,
  });
  const taskQueue = `lost-${randomUUID()}`;
  const worker = await Worker.create({
    connection,
    taskQueue,
    activities,
    workflowBundle: { codePath: await workflowBundle() },
    interceptors: { activity: [() => ({ inbound: scheduledAnewInterceptor })] },
  });
  await worker.runUntil(() =>
    new Client({ connection }).workflow.execute<typeof retryCharge>('retryCharge', {
      workflowId: `retry-charge:${randomUUID()}:1`,
      taskQueue,
      args: [{ taskId: 'task', emrPatientId: 'p1', priceCents: 29_900 }],
    }),
  );
  const input = [{ charge, isFirst: true }];
  expect(calls).toEqual([
    { attempt: 1, input, before: false },
    { attempt: 1, input, before: true },
  ]);
});
