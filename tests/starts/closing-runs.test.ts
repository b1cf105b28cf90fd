import { describe, expect, test } from '@jest/globals';
import { type Client, ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { answerHold } from '../../starts/router.js';

/** A client whose updates end one after the other as given; the last one repeats. */
function clientWhose(...ends: (Error | 'answered')[]): { temporal: Client; updates: () => number } {
  let updates = 0;
  const workflow = {
    executeUpdateWithStart: () => {
      const end = ends[Math.min(updates, ends.length - 1)];
      updates += 1;
      return end instanceof Error ? Promise.reject(end) : Promise.resolve(undefined);
    },
  };
  const withDeadline = <T>(_deadline: number, call: () => Promise<T>) => call();
  return { temporal: { workflow, withDeadline } as unknown as Client, updates: () => updates };
}

const closed = () =>
  new WorkflowNotFoundError('workflow update was aborted by closing workflow', 'hold', 'run');
const aborted = () =>
  new ServiceError('Update-With-Start failed', {
    cause: Object.assign(new Error('aborted'), { code: 10, details: '', metadata: {} }),
  });
const hold = { submissionId: '00000000-0000-5000-8000-000000000011', holdId: 'hold-1' };

describe('a request that reaches a run while it ends', () => {
  test.each([
    ['the run is gone', closed],
    ['the update is aborted', aborted],
  ])('reaches the next run if %s', async (_name, error) => {
    const { temporal, updates } = clientWhose(error(), error(), 'answered');
    expect(await answerHold(temporal, hold, 1, 5_000)).toEqual({ state: 'completed', result: undefined });
    expect(updates()).toBe(3);
  });

  test('is answered from the record if the time is over', async () => {
    const { temporal } = clientWhose(closed());
    expect(await answerHold(temporal, hold, 1, -1)).toEqual({ state: 'timed_out' });
  });

  test('still fails if the server rejects the update for another reason', async () => {
    const rejected = new ServiceError('Update-With-Start failed', {
      cause: Object.assign(new Error('invalid'), { code: 3, details: '', metadata: {} }),
    });
    const { temporal } = clientWhose(rejected);
    await expect(answerHold(temporal, hold, 1, 5_000)).rejects.toBe(rejected);
  });
});
