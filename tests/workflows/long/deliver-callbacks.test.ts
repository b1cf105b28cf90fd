import { expect, it } from '@jest/globals';
import { queueOf } from '../../helpers/callback-queue.js';
import { useRuns } from '../runs.js';

const { run } = useRuns('deliverCallbacks');

it('a long queue continues as new under the same id with what it began with', async () => {
  const queue = queueOf(700, () => 200);
  const { handle } = await run({ args: ['submission'], activities: queue.activities });
  expect(queue.sent).toEqual(Array.from({ length: 700 }, (_each, index) => index + 1));
  const { runId } = await handle.describe();
  expect(runId).not.toBe((handle as { firstExecutionRunId?: string }).firstExecutionRunId);
});
