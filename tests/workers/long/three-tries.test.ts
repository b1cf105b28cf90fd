import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { activityInfo } from '@temporalio/activity';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { once } from '../../../activities/calls.js';
import { OutboundError } from '../../../platform/http/outbound.js';
import { workflowBundle } from '../../../workers/bundle.js';
import type { retryCharge } from '../../../workflows/orchestrator/retry-charge.js';
import { shared } from '../../helpers/client.js';

// On the real server: the time-skipping one retries a lost worker's time-out by itself.
let connection: NativeConnection;
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  connection = await NativeConnection.connect({ address: shared().temporal.address });
});
afterAll(() => connection.close());

type Try = 'silent' | 'database away' | 'lost' | 'answered';

/** The result of each try of step 5, and of the run. */
async function chargeWith(tries: readonly Try[]): Promise<{ met: string[]; isFollowedUp: boolean }> {
  const met: string[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const chargeSavedCard = async () => {
    const next = tries[met.length];
    const { isLocal } = activityInfo();
    met.push(`${isLocal ? 'local' : 'ordinary'}: ${next}`);
    // A lost worker is silent until its timeout.
    if (next === 'lost') return released;
    if (next === 'database away') throw new Error('write CONNECTION_CLOSED');
    await once(
      async () => {
        if (next === 'silent')
          throw new OutboundError('processor', { kind: 'status', status: 503, body: '' });
      },
      { attempt: 1, charge: { taskId: 'task' } },
    );
  };
  const findCharge = async () => ({ outcome: { status: 'failed', paymentIntentId: null, reason: 'none' } });
  const taskQueue = `tries-${randomUUID()}`;
  const worker = await Worker.create({
    connection,
    taskQueue,
    activities: { chargeSavedCard, findCharge, recordPayment: async () => undefined },
    workflowBundle: { codePath: await workflowBundle() },
  });
  const { workflow } = new Client({ connection });
  const workflowId = `charge:${randomUUID()}`;
  const isFollowedUp = await worker.runUntil(async () => {
    const task = { taskId: 'task', emrPatientId: 'p', priceCents: 1 };
    await workflow.execute<typeof retryCharge>('retryCharge', { workflowId, taskQueue, args: [task] });
    release();
    const { events } = await workflow.getHandle(workflowId).fetchHistory();
    return (events ?? []).some(({ childWorkflowExecutionStartedEventAttributes: child }) => child);
  });
  return { met, isFollowedUp };
}

test('a silent party is tried three times: what is lost or fails on our own side in between is not counted', async () => {
  expect(
    await chargeWith(['silent', 'database away', 'lost', 'silent', 'database away', 'silent', 'answered']),
  ).toEqual({
    met: [
      'local: silent',
      'ordinary: database away',
      'ordinary: lost',
      'ordinary: silent',
      'ordinary: database away',
      'ordinary: silent',
    ],
    isFollowedUp: true,
  });
});

test('a first try inside the workflow task that our own database failed leaves the party its three', async () => {
  expect(await chargeWith(['database away', 'silent', 'silent', 'answered'])).toEqual({
    met: ['local: database away', 'ordinary: silent', 'ordinary: silent', 'ordinary: answered'],
    isFollowedUp: false,
  });
});
