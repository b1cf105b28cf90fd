import { describe, expect, it } from '@jest/globals';
import type { RecordedAttempt } from '../../../db/router/callbacks.js';
import { type CallbackQueue, queueOf } from '../../helpers/callback-queue.js';
import { deliverCallbacks } from '../../replay/cases/deliver-callbacks.js';
import { failingFirst, ownFault } from '../orchestrator/pipeline-activities.js';
import { useRuns } from '../runs.js';

const hourMs = 3_600_000;

const { run: runCase, testCases, time } = useRuns('deliverCallbacks');
const run = ({ activities }: CallbackQueue) => runCase({ args: ['submission'], activities });

describe('the callbacks of a submission', () => {
  testCases(deliverCallbacks);

  it('are delivered one after the other, each until it has arrived', async () => {
    const queue = queueOf(3, (sequence, attempt) => (attempt > sequence ? 200 : 503));
    await run(queue);
    expect(queue.sent).toEqual([1, 1, 2, 2, 2, 3, 3, 3, 3]);
    expect(queue.states()).toEqual(['delivered', 'delivered', 'delivered']);
  });

  it('are given up 72 h after their first attempt, and the next one has its turn', async () => {
    const queue = queueOf(2, (sequence) => (sequence === 1 ? 503 : 200));
    const firstAttemptAt = (await time().env.currentTimeMs()) - 69.5 * hourMs;
    Object.assign(queue.rows[0]!, { attempts: 80, firstAttemptAt });
    await run(queue);
    expect(queue.states()).toEqual(['dead', 'delivered']);
    const tries = queue.log.slice(0, -2).map(({ verdict }) => verdict.nextAttemptAt! - firstAttemptAt);
    const pauses = tries.slice(1).map((at, index) => at - tries[index]!);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(hourMs + 60_000);
    expect(tries.at(-1)).toBe(72 * hourMs);
    expect(tries.length).toBeLessThan(6);
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
