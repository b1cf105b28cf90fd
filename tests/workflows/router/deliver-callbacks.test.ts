import { describe, expect, it } from '@jest/globals';
import type { RecordedAttempt } from '../../../db/router/callbacks.js';
import { type CallbackQueue, queueOf } from '../../helpers/callback-queue.js';
import { deliverCallbacks } from '../../replay/cases/deliver-callbacks.js';
import { failingFirst, ownFault } from '../orchestrator/pipeline-activities.js';
import { useRuns } from '../runs.js';

const hourMs = 3_600_000;

const { run: runCase, judge } = useRuns('deliverCallbacks');
const run = ({ activities }: CallbackQueue) => runCase({ args: ['submission'], activities });

describe('the callbacks of a submission', () => {
  judge(deliverCallbacks);

  it('are delivered one after the other, each until it has arrived', async () => {
    const queue = queueOf(3, (sequence, attempt) => (attempt > sequence ? 200 : 503));
    await run(queue);
    expect(queue.sent).toEqual([1, 1, 2, 2, 2, 3, 3, 3, 3]);
    expect(queue.states()).toEqual(['delivered', 'delivered', 'delivered']);
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

  it('survive a database that is away for minutes', async () => {
    const queue = queueOf(1, () => 200);
    const table = { ...queue.activities };
    queue.activities.recordCallbackAttempt = failingFirst(
      20,
      (attempt: RecordedAttempt) => table.recordCallbackAttempt(attempt),
      ownFault,
    );
    await run(queue);
    expect(queue.states()).toEqual(['delivered']);
    expect(queue.sent).toEqual([1]);
  });
});

describe('a long queue', () => {
  it('continues as new under the same id with what it began with', async () => {
    const queue = queueOf(700, () => 200);
    const { handle } = await run(queue);
    expect(queue.sent).toEqual(Array.from({ length: 700 }, (_each, index) => index + 1));
    const { runId } = await handle.describe();
    expect(runId).not.toBe((handle as { firstExecutionRunId?: string }).firstExecutionRunId);
  });
});
