import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { activityInfo } from '@temporalio/activity';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { workflowBundle } from '../../workers/bundle.js';
import type { submitPrescription } from '../../workflows/router/submit-prescription.js';
import { shared } from '../helpers/client.js';

// On the real server: the time-skipping one retries such time-outs by itself.
let connection: NativeConnection;
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  connection = await NativeConnection.connect({ address: shared().temporal.address });
});
afterAll(() => connection.close());

test('an activity that is scheduled anew after its worker was lost has the same input', async () => {
  const calls: { attempt: number; input: unknown[] }[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const placePharmacyOrder = async (...input: unknown[]) => {
    calls.push({ attempt: activityInfo().attempt, input });
    // A lost worker is silent until its timeout.
    if (calls.length === 1) await released;
    else release();
    return { pharmacyOrderId: 'a-1', response: '{}' };
  };
  const activities = {
    claimSubmission: async () => ({ pharmacy: 'pharmacy_a', try: 1 }),
    placePharmacyOrder,
    recordSubmissionResult: async () => undefined,
  };
  const taskQueue = `lost-${randomUUID()}`;
  const worker = await Worker.create({
    connection,
    taskQueue,
    activities,
    workflowBundle: { codePath: await workflowBundle() },
  });
  const held = { submissionId: randomUUID(), claimId: randomUUID() };
  await worker.runUntil(() =>
    new Client({ connection }).workflow.execute<typeof submitPrescription>('submitPrescription', {
      workflowId: `submission:${held.submissionId}`,
      taskQueue,
      args: [held as Parameters<typeof submitPrescription>[0]],
    }),
  );
  expect(calls).toEqual([
    { attempt: 1, input: [held] },
    { attempt: 1, input: [held] },
  ]);
});
