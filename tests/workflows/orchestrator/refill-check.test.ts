import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ActivityFailure, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { refillWorkflowId } from '../../../workflows/ids.js';
import type { processRefill } from '../../../workflows/orchestrator/process-refill.js';
import type { refillCheck } from '../../../workflows/orchestrator/refill-check.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';
import { goodActivities, refusal } from './pipeline-activities.js';
import { checkActivities, dueRefill } from './refill-activities.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

type Handle = WorkflowHandle<typeof refillCheck>;

/** Runs a check against these activities to its end. */
async function check(
  { activities }: { activities: object },
  meanwhile: (handle: Handle, taskQueue: string) => Promise<unknown> = async () => undefined,
) {
  const taskQueue = `refills-${randomUUID()}`;
  return time.withWorker(taskQueue, activities, async () => {
    const handle = await time.env.client.workflow.start<typeof refillCheck>('refillCheck', {
      workflowId: `refill-check:${randomUUID()}`,
      taskQueue,
      args: [],
    });
    await meanwhile(handle, taskQueue);
    const ending = await handle.result().then(
      (result) => ({ result, cause: undefined }),
      (error: unknown) => {
        if (error instanceof WorkflowFailedError) return { result: undefined, cause: error.cause };
        throw error;
      },
    );
    return { ...ending, handle };
  });
}

/** Refills of schedules that no other test has. */
const dueRefills = (count: number) => {
  const run = randomUUID();
  return Array.from({ length: count }, (_, index) =>
    dueRefill(index + 1, { scheduleId: `${run}-${index + 1}` }),
  );
};
const processed = (position: number) => ({ position, processed: true, reason: null });

describe('a refill check', () => {
  it('runs every refill that is due once, page by page, and records what became of each', async () => {
    const refills = dueRefills(45);
    const good = checkActivities(refills);
    const { result } = await check(good);
    expect(result).toEqual({ checkId: expect.any(String), total: 45 });
    expect(good.pages).toEqual([0, 20, 40]);
    expect(good.outcomes).toEqual(refills.map(({ position }) => processed(position)));
    expect(good.calls.filter((name) => name === 'submitToPharmacy')).toHaveLength(45);
    expect(good.calls.filter((name) => name === 'chargeCard')).toHaveLength(45);
  });

  it('begins a page only when every refill of the one before has ended and is recorded', async () => {
    const order: string[] = [];
    const refills = dueRefills(25);
    const good = checkActivities(refills, {
      judgePage: async ({ after, size }) => {
        order.push(`judge ${after}`);
        return refills.filter(({ position }) => position > after && position <= after + size);
      },
      recordOutcome: async () => void order.push('refill ended'),
      recordPage: async ({ outcomes }) => void order.push(`record ${outcomes.length}`),
    });
    await check(good);
    expect(order).toEqual([
      'judge 0',
      ...Array<string>(20).fill('refill ended'),
      'record 20',
      'judge 20',
      ...Array<string>(5).fill('refill ended'),
      'record 5',
    ]);
  });

  it('has nothing to do on a day without refills', async () => {
    const good = checkActivities([]);
    const { result } = await check(good);
    expect([result?.total, good.pages, good.outcomes]).toEqual([0, [], []]);
  });

  it('runs what is left when others of the page are skipped at their turn', async () => {
    const [first, , third] = dueRefills(3);
    const good = checkActivities([first!, third!], { total: 3 });
    await check(good);
    expect(good.outcomes).toEqual([processed(1), processed(3)]);
  });

  it('names the step at which a refill failed, and the others are not touched by it', async () => {
    const refills = dueRefills(3);
    const { submitToPharmacy } = goodActivities().activities;
    const good = checkActivities(refills, {
      submitToPharmacy: async (input) =>
        input.sourceOrderId === `refill-${refills[1]!.scheduleId}-1`
          ? refusal('No pharmacy route configured for state: MN')()
          : (submitToPharmacy!(input as never) as never),
    });
    await check(good);
    expect(good.outcomes).toEqual([
      processed(1),
      { position: 2, processed: false, reason: 'pharmacy_submission' },
      processed(3),
    ]);
  });

  it('runs a refill that failed in an earlier check again under the same number', async () => {
    const refills = dueRefills(1);
    const failing = checkActivities(refills, { fetchPatient: refusal('Patient not found in EMR: p1') });
    await check(failing);
    const next = checkActivities(refills);
    await check(next);
    expect([failing.outcomes, next.outcomes]).toEqual([
      [{ position: 1, processed: false, reason: 'patient_details' }],
      [processed(1)],
    ]);
  });

  it('reports already_running for a refill that another check has under way, and leaves it alone', async () => {
    const refills = dueRefills(2);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { position: _position, ...theirs } = refills[0]!;
    const good = checkActivities(refills, {
      loadMedicationConfig: async (input) => {
        await held;
        return goodActivities().activities['loadMedicationConfig']!(input as never) as never;
      },
    });
    const taskQueue = `refills-${randomUUID()}`;
    await time.withWorker(taskQueue, good.activities, async () => {
      const { client } = time.env;
      const other = await client.workflow.start<typeof processRefill>('processRefill', {
        workflowId: refillWorkflowId(theirs.scheduleId, theirs.n),
        taskQueue,
        args: [theirs],
      });
      const running = client.workflow.execute<typeof refillCheck>('refillCheck', {
        workflowId: `refill-check:${randomUUID()}`,
        taskQueue,
        args: [],
      });
      // Both refills wait for their medication by now: the other check's one, and ours of the second schedule.
      while (good.calls.filter((name) => name === 'loadMedicationConfig').length < 2)
        await new Promise((resolve) => setTimeout(resolve, 20));
      release();
      await running;
      await other.result();
    });
    expect(good.outcomes).toEqual([
      { position: 1, processed: false, reason: 'already_running' },
      processed(2),
    ]);
    expect(good.calls.filter((name) => name === 'chargeCard')).toHaveLength(2);
  });

  it('reports already_running for a refill that another check has just sent', async () => {
    const refills = dueRefills(1);
    await check(checkActivities(refills));
    const second = checkActivities(refills);
    await check(second);
    expect(second.outcomes).toEqual([{ position: 1, processed: false, reason: 'already_running' }]);
    expect(second.calls).toEqual([]);
  });
});

describe('a day of any size', () => {
  it('continues as a new run, with the same results and no run longer than a page allows', async () => {
    const all = dueRefills(520);
    const onePerPage = all.filter(({ position }) => position % 20 === 1);
    let lists = 0;
    const good = checkActivities(onePerPage, { total: 520, listDueSchedules: async () => (lists += 520) });
    const { handle, result } = await check(good);
    expect([result?.total, lists]).toEqual([520, 520]);
    expect(good.pages).toEqual(Array.from({ length: 26 }, (_, page) => page * 20));
    expect(good.outcomes).toEqual(onePerPage.map(({ position }) => processed(position)));
    const { runId } = await time.env.client.workflow.getHandle(handle.workflowId).describe();
    expect(runId).not.toBe(handle.firstExecutionRunId);
  });

  it('keeps the history of a run of full pages under 10,000 events', async () => {
    const { handle } = await check(checkActivities(dueRefills(20)));
    const { events } = await handle.fetchHistory();
    expect(events!.length * 25).toBeLessThan(10_000);
  });
});

describe('faults', () => {
  it.each([[5]])('a list that fails %d times is asked for again', async (times) => {
    let failures = 0;
    const good = checkActivities(dueRefills(1), {
      listDueSchedules: async () => {
        if (failures++ < times) throw new Error('no connection');
        return 1;
      },
    });
    expect((await check(good)).result?.total).toBe(1);
  });

  it('without a list for some ten seconds the check fails, and nothing was sent', async () => {
    let startedAt = 0;
    const good = checkActivities(dueRefills(1), {
      listDueSchedules: async () => {
        startedAt ||= await time.env.currentTimeMs();
        throw new Error('no connection');
      },
    });
    const { cause } = await check(good);
    expect(cause).toBeInstanceOf(ActivityFailure);
    expect((await time.env.currentTimeMs()) - startedAt).toBeGreaterThan(9_000);
    expect([good.pages, good.calls]).toEqual([[], []]);
  });

  it('a page that cannot be judged or recorded waits for the database, each refill sent once', async () => {
    const refills = dueRefills(2);
    let [judged, recorded] = [0, 0];
    const good = checkActivities(refills, {
      judgePage: async () => {
        if (judged++ < 15) throw new Error('no connection');
        return refills;
      },
      recordPage: async () => {
        if (recorded++ < 15) throw new Error('no connection');
      },
    });
    await check(good);
    expect(good.outcomes).toEqual([processed(1), processed(2)]);
    expect(good.calls.filter((name) => name === 'submitToPharmacy')).toHaveLength(2);
  });
});

it('cancelled, it carries the page under way through, records it, and begins no other', async () => {
  let handle: Handle | undefined;
  const good = checkActivities(dueRefills(25), {
    resolvePrescriber: async (input) => {
      await handle?.cancel();
      return goodActivities().activities['resolvePrescriber']!(input as never) as never;
    },
  });
  const { cause } = await check(good, async (started) => void (handle = started));
  expect(cause).toBeInstanceOf(CancelledFailure);
  expect(good.pages).toEqual([0]);
  expect(good.outcomes).toEqual(Array.from({ length: 20 }, (_, index) => processed(index + 1)));
});
