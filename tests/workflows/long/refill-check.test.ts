import { describe, expect, it } from '@jest/globals';
import { checkActivities, dueRefills, processed } from '../orchestrator/refill-activities.js';
import { useRuns } from '../runs.js';

const { run, time } = useRuns('refillCheck');

describe('a day of any size', () => {
  it('continues as a new run, with the same results and no run longer than a page allows', async () => {
    const all = dueRefills(520);
    const onePerPage = all.filter(({ position }) => position % 20 === 1);
    const good = checkActivities(onePerPage, { total: 520 });
    const { handle, result, times } = await run(good);
    expect([result, times('listDueSchedules')]).toMatchObject([{ total: 520 }, 1]);
    expect(good.pages).toEqual(Array.from({ length: 26 }, (_, page) => page * 20));
    expect(good.outcomes).toEqual(onePerPage.map(({ position }) => processed(position)));
    const { runId } = await time().env.client.workflow.getHandle(handle.workflowId).describe();
    expect(runId).not.toBe((handle as { firstExecutionRunId?: string }).firstExecutionRunId);
  });

  it('keeps the history of a run of full pages under 10,000 events', async () => {
    const { handle } = await run(checkActivities(dueRefills(20)));
    const { events } = await handle.fetchHistory();
    expect(events!.length * 25).toBeLessThan(10_000);
  });
});
