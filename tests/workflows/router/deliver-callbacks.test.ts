import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import type { deliverCallbacks } from '../../../workflows/router/deliver-callbacks.js';
import { type CallbackQueue, queueOf } from '../../helpers/callback-queue.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';

const hourMs = 3_600_000;

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

async function run({ activities }: CallbackQueue): Promise<WorkflowHandle<typeof deliverCallbacks>> {
  const taskQueue = `callbacks-${randomUUID()}`;
  return time.withWorker(taskQueue, activities, async () => {
    const handle = await time.env.client.workflow.start<typeof deliverCallbacks>('deliverCallbacks', {
      workflowId: `callbacks:${randomUUID()}`,
      taskQueue,
      args: ['submission'],
    });
    await handle.result();
    return handle;
  });
}

describe('the callbacks of a submission', () => {
  it('are delivered one after the other, each until it has arrived', async () => {
    const queue = queueOf(3, (sequence, attempt) => (attempt > sequence ? 200 : 503));
    await run(queue);
    expect(queue.sent).toEqual([1, 1, 2, 2, 2, 3, 3, 3, 3]);
    expect(queue.states()).toEqual(['delivered', 'delivered', 'delivered']);
  });

  it('reach a receiver that is down for ten attempts in order', async () => {
    const queue = queueOf(3, (sequence, attempt) => (sequence === 1 && attempt <= 10 ? 500 : 200));
    await run(queue);
    expect(queue.sent).toEqual([...Array<number>(11).fill(1), 2, 3]);
  });

  it('are given up 72 h after their first attempt, and the next one has its turn', async () => {
    const queue = queueOf(2, (sequence) => (sequence === 1 ? 503 : 200));
    await run(queue);
    expect(queue.states()).toEqual(['dead', 'delivered']);
    const pauses = queue.log.slice(0, -2).map(({ verdict }, index) => {
      const before = queue.log[index - 1]?.verdict.nextAttemptAt ?? queue.log[0]!.firstAttemptAt;
      return verdict.nextAttemptAt! - before;
    });
    expect(Math.max(...pauses)).toBeLessThanOrEqual(hourMs + 60_000);
    const last = queue.log.at(-3)!.verdict.nextAttemptAt! - queue.log[0]!.firstAttemptAt;
    expect(last).toBe(72 * hourMs);
    expect(queue.log.length).toBeLessThan(200);
  });

  it('end for good when the receiver answers 410', async () => {
    const queue = queueOf(3, () => 410);
    await run(queue);
    expect(queue.sent).toEqual([1]);
    expect(queue.states()).toEqual(['stopped', 'stopped', 'stopped']);
  });

  it('wait without an attempt while the receiver has enough to do', async () => {
    let busy = 3;
    const queue = queueOf(1, () => (busy-- > 0 ? 'busy' : 200));
    await run(queue);
    expect(queue.log).toMatchObject([{ attempts: 1, status: 200 }]);
  });

  it('survive a database that is away for minutes', async () => {
    const queue = queueOf(1, () => 200);
    const table = { ...queue.activities };
    let faults = 20;
    queue.activities.recordCallbackAttempt = async (attempt) => {
      if (faults-- > 0) throw new Error('The database is away');
      await table.recordCallbackAttempt(attempt);
    };
    await run(queue);
    expect(queue.states()).toEqual(['delivered']);
    expect(queue.sent).toEqual([1]);
  });
});

describe('a long queue', () => {
  it('continues as new under the same id with what it began with', async () => {
    const queue = queueOf(700, () => 200);
    const handle = await run(queue);
    expect(queue.sent).toEqual(Array.from({ length: 700 }, (_each, index) => index + 1));
    const { runId } = await time.env.client.workflow.getHandle(handle.workflowId).describe();
    expect(runId).not.toBe((handle as { firstExecutionRunId?: string }).firstExecutionRunId);
  });
});
