import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { refillWorkflowId } from '../../../workflows/ids.js';
import type { processRefill } from '../../../workflows/orchestrator/process-refill.js';
import { eventually } from '../../helpers/client.js';
import { refillCheck } from '../../replay/cases/refill-check.js';
import { useRuns } from '../runs.js';
import { failingFirst, goodActivities, ownFault, refusal } from './pipeline-activities.js';
import { checkActivities, dueRefills, processed } from './refill-activities.js';

const { run, testCases, time, taskQueue, stage } = useRuns('refillCheck');

describe('a refill check', () => {
  testCases(refillCheck);

  it('runs every refill that is due once, a page only when all of the one before have ended and are recorded', async () => {
    const order: string[] = [];
    const refills = dueRefills(21).filter(({ position }) => position <= 3 || position > 20);
    const good = checkActivities(refills, {
      total: 21,
      judgePage: async ({ after, size }) => {
        order.push(`testCases ${after}`);
        return refills.filter(({ position }) => position > after && position <= after + size);
      },
      recordOutcome: async () => void order.push('refill ended'),
      recordPage: async ({ outcomes }) => void order.push(`record ${outcomes.length}`),
    });
    const { result, times } = await run(good);
    expect(result).toEqual({ checkId: expect.any(String), total: 21 });
    expect(good.pages).toEqual([0, 20]);
    expect(good.outcomes).toEqual(refills.map(({ position }) => processed(position)));
    expect([times('submitToPharmacy'), times('chargeSavedCard')]).toEqual([4, 4]);
    expect(order).toEqual([
      'testCases 0',
      ...Array<string>(3).fill('refill ended'),
      'record 3',
      'testCases 20',
      'refill ended',
      'record 1',
    ]);
  });

  it('runs what is left when others of the page are skipped at their turn', async () => {
    const [first, , third] = dueRefills(3);
    const good = checkActivities([first!, third!], { total: 3 });
    await run(good);
    expect(good.outcomes).toEqual([processed(1), processed(3)]);
  });

  it('names the step at which a refill failed, and the others are not touched by it', async () => {
    const refills = dueRefills(3);
    const { submitToPharmacy } = goodActivities();
    const good = checkActivities(refills, {
      submitToPharmacy: async (input) =>
        input.sourceOrderId === `refill-${refills[1]!.scheduleId}-1`
          ? refusal('No pharmacy route configured for state: MN')()
          : submitToPharmacy(input),
    });
    await run(good);
    expect(good.outcomes).toEqual([
      processed(1),
      { position: 2, processed: false, reason: 'pharmacy_submission' },
      processed(3),
    ]);
  });

  it('runs a refill that failed in an earlier check again under the same number', async () => {
    const refills = dueRefills(1);
    const failing = checkActivities(refills, { fetchPatient: refusal('Patient not found in EMR: p1') });
    await run(failing);
    const next = checkActivities(refills);
    await run(next);
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
      fetchPatient: async (input) => {
        await held;
        return goodActivities().fetchPatient(input);
      },
    });
    const loads = () => stage.calls.filter(({ name }) => name === 'fetchPatient').length;
    stage.put(good);
    const other = await time().env.client.workflow.start<typeof processRefill>('processRefill', {
      workflowId: refillWorkflowId(theirs.scheduleId, theirs.n),
      taskQueue,
      args: [theirs],
    });
    await eventually(async () => loads() === 1);
    await run(good, async () => {
      await eventually(async () => loads() === 1);
      release();
    });
    await other.result();
    expect(good.outcomes).toEqual([
      { position: 1, processed: false, reason: 'already_running' },
      processed(2),
    ]);
    expect(stage.calls.filter(({ name }) => name === 'chargeSavedCard')).toHaveLength(2);
  });

  it('reports already_running for a refill that another check has just sent', async () => {
    const refills = dueRefills(1);
    await run(checkActivities(refills));
    const second = checkActivities(refills);
    const { times } = await run(second);
    expect(second.outcomes).toEqual([{ position: 1, processed: false, reason: 'already_running' }]);
    expect(times('submitToPharmacy')).toBe(0);
  });
});

describe('faults', () => {
  it('of the list that pass are waited out', async () => {
    const good = checkActivities(dueRefills(1), {
      listDueSchedules: failingFirst(5, async () => 1, ownFault),
    });
    expect((await run(good)).result).toMatchObject({ total: 1 });
  });

  it('without a list for some ten seconds the check fails, and nothing was sent', async () => {
    const good = checkActivities(dueRefills(1), { listDueSchedules: ownFault });
    const { failure, calls, tookMs } = await run(good);
    expect(failure).toMatchObject({ name: 'ActivityFailure' });
    expect(await tookMs()).toBeGreaterThan(9_000);
    expect(new Set(calls)).toEqual(new Set(['listDueSchedules']));
  });

  it('a page that cannot be checked or recorded waits for the database, each refill sent once', async () => {
    const refills = dueRefills(2);
    const good = checkActivities(refills, {
      judgePage: failingFirst(15, async () => refills, ownFault),
      recordPage: failingFirst(15, async () => undefined, ownFault),
    });
    const { times } = await run(good);
    expect(good.outcomes).toEqual([processed(1), processed(2)]);
    expect(times('submitToPharmacy')).toBe(2);
  });
});

it('cancelled, it carries its page through, records it, and begins no other', async () => {
  let handle: WorkflowHandle | undefined;
  const good = checkActivities(dueRefills(3), {
    total: 21,
    resolvePrescriber: async (input) => {
      await handle?.cancel();
      return goodActivities().resolvePrescriber(input);
    },
  });
  const { failure } = await run(good, async (started) => void (handle = started));
  expect(failure).toMatchObject({ name: 'CancelledFailure' });
  expect(good.pages).toEqual([0]);
  expect(good.outcomes).toEqual([processed(1), processed(2), processed(3)]);
});
