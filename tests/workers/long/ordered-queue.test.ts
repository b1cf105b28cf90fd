import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { activityInfo } from '@temporalio/activity';
import { Client } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { temporal } from '../../../platform/temporal/proto.js';
import { workflowBundle } from '../../../workers/bundle.js';
import { recheckSignal } from '../../../workflows/messages.js';
import { type CallbackQueue, queueOf } from '../../helpers/callback-queue.js';
import { eventually, shared } from '../../helpers/client.js';

// On the real server: the time-skipping one looks for a run and starts one in two steps, so there two nudges at the
// end of a run can both start the next, and one of them fails.
const { address } = shared().temporal;
let connection: NativeConnection;
let client: Client;
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  connection = await NativeConnection.connect({ address });
  client = new Client({ connection });
});
afterAll(() => connection.close());

const nudge = (workflow: string, workflowId: string, taskQueue: string) =>
  client.workflow.signalWithStart(workflow, {
    workflowId,
    taskQueue,
    args: ['submission'],
    signal: 'recheck',
    signalArgs: [],
  });

const withWorker = async (
  taskQueue: string,
  activities: object,
  fn: () => Promise<void>,
  bundle?: WorkflowBundleOption,
): Promise<void> => {
  const worker = await Worker.create({
    connection,
    taskQueue,
    activities,
    workflowBundle: bundle ?? { codePath: await workflowBundle() },
    // Workflows run in this thread: to start others for each worker takes longer than the tests.
    debugMode: true,
  });
  await worker.runUntil(fn);
};

test('callbacks in a storm of nudges, three at once for each, are all delivered in order', async () => {
  const queue = queueOf(0, () => 200);
  const taskQueue = `callbacks-${randomUUID()}`;
  const workflowId = `callbacks:${randomUUID()}`;
  await withWorker(taskQueue, queue.activities, async () => {
    for (let count = 0; count < 40; count += 1) {
      queue.add();
      await Promise.all(Array.from({ length: 3 }, () => nudge('deliverCallbacks', workflowId, taskQueue)));
    }
    await client.workflow.getHandle(workflowId).result();
  });
  expect(queue.sent).toEqual(Array.from({ length: 40 }, (_each, index) => index + 1));
});

/**
 * Ten queues that each get their next callback, with a nudge, while the last thing that the run does before its end
 * is still under way.
 * @returns how many callbacks were left behind once every run had ended
 */
async function leftBehind(workflow: string, bundle?: WorkflowBundleOption): Promise<number> {
  const taskQueue = `callbacks-${randomUUID()}`;
  const queues = new Map<string, CallbackQueue>(
    Array.from({ length: 10 }, () => [`callbacks:${randomUUID()}`, queueOf(1, () => 200)]),
  );
  const own = () => queues.get(activityInfo().workflowExecution!.workflowId)!;
  const addAtTheEnd = async (queue: CallbackQueue, most: number) => {
    if (queue.rows.length >= most) return;
    queue.add();
    await nudge(workflow, activityInfo().workflowExecution!.workflowId, taskQueue);
  };
  const activities: CallbackQueue['activities'] = {
    nextCallback: async (input) => {
      const next = await own().activities.nextCallback(input);
      if (next === null) await addAtTheEnd(own(), 3);
      return next;
    },
    deliverCallback: async (input) => {
      if (input.callbackId !== 'none') return own().activities.deliverCallback(input);
      await addAtTheEnd(own(), 4);
      return { skipped: 'gone' };
    },
    recordCallbackAttempt: (attempt) => own().activities.recordCallbackAttempt(attempt),
  };
  const ended = (id: string) => client.workflow.getHandle(id).result();
  const start = async () => {
    await Promise.all([...queues.keys()].map((id) => nudge(workflow, id, taskQueue)));
    await Promise.all([...queues.keys()].map(ended));
  };
  await withWorker(taskQueue, activities, start, bundle);
  return [...queues.values()].flatMap((queue) => queue.states()).filter((state) => state === 'pending')
    .length;
}

test('a callback that comes just as the run ends is not left behind', async () => {
  expect(await leftBehind('deliverCallbacks')).toBe(0);
});

test('with something awaited between the empty table and the end of the run, callbacks are left behind', async () => {
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('lossy-queue.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  });
  expect(await leftBehind('lossyQueue', { code })).toBeGreaterThan(0);
});

test('a callback that waits for its time goes out at once when it is made due and nudged', async () => {
  const queue = queueOf(1, () => 200);
  const [row] = queue.rows;
  Object.assign(row!, { attempts: 40, firstAttemptAt: Date.now(), dueAt: Date.now() + 30 * 24 * 3_600_000 });
  const taskQueue = `callbacks-${randomUUID()}`;
  const workflowId = `callbacks:${randomUUID()}`;
  const handle = client.workflow.getHandle(workflowId);
  const eventsOf = async (type: keyof typeof temporal.api.enums.v1.EventType) => {
    const { events } = await handle.fetchHistory();
    return events!.filter(({ eventType }) => eventType === temporal.api.enums.v1.EventType[type]);
  };
  await withWorker(taskQueue, queue.activities, async () => {
    await nudge('deliverCallbacks', workflowId, taskQueue);
    // Its own, and the one after which what is tried in vain is shown as stuck.
    await eventually(async () => (await eventsOf('EVENT_TYPE_TIMER_STARTED')).length === 2);
    expect(queue.sent).toEqual([]);
    row!.dueAt = null;
    await handle.signal(recheckSignal);
    await handle.result();
  });
  expect(queue.states()).toEqual(['delivered']);
  expect(await eventsOf('EVENT_TYPE_TIMER_FIRED')).toEqual([]);
});
