import { expect, it } from '@jest/globals';
import type { CallbackActivities } from '../../../activities/router/callbacks.js';
import { queueOf } from '../../helpers/callback-queue.js';
import { useRuns } from '../runs.js';

const { run } = useRuns('deliverCallbacks');

it('a long queue continues as new under the same id with what it began with', async () => {
  const queue = queueOf(60, () => 200);
  // The server suggests it from 4 MiB on, or 4,096 events, which take a minute.
  const nextCallback: CallbackActivities['nextCallback'] = async (input) => {
    const next = await queue.activities.nextCallback(input);
    return next && { ...next, lastError: 'x'.repeat(100_000) };
  };
  const { handle } = await run({ args: ['submission'], activities: { ...queue.activities, nextCallback } });
  expect(queue.sent).toEqual(Array.from({ length: 60 }, (_each, index) => index + 1));
  const { runId } = await handle.describe();
  expect(runId).not.toBe((handle as { firstExecutionRunId?: string }).firstExecutionRunId);
});
