import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { Case, Expected, ReplayCase } from '../replay/cases.js';
import { Stage } from '../replay/play.js';
import type { TimeSkipping } from '../helpers/time-skipping.js';

/** A run that has ended. */
export interface Ending {
  result: unknown;
  /** What the update it was started with was answered. */
  answer: unknown;
  failure: Error | undefined;
  /** The activities in the order they were asked for, every attempt. */
  calls: string[];
  times: (name: string) => number;
  inputs: (name: string) => unknown[];
  handle: WorkflowHandle;
  details: () => Promise<string>;
  /** How long it was under way, by the server's clock. */
  tookMs: () => Promise<number>;
}

/**
 * The longest there is. On a busy machine a task takes longer than the usual 10 s: it would be carried out twice, and
 * the server does not get over skipping time where one of its tasks has timed out.
 */
const workflowTaskTimeout = '2 minutes';

declare const startTimeSkipping: () => Promise<TimeSkipping>;

const stage = new Stage();
const taskQueue = `runs-${randomUUID()}`;
let time: TimeSkipping;
let serving: Promise<void>;
let stopServing: () => void;
let unended: WorkflowHandle | undefined;
const ended: WorkflowHandle[] = [];

beforeAll(async () => {
  time = await startTimeSkipping();
  await new Promise<void>((ready, failed) => {
    const stopped = new Promise<void>((resolve) => (stopServing = resolve));
    serving = time.withWorker(taskQueue, { default: stage.play }, () => (ready(), stopped));
    serving.catch(failed);
  });
});
// A run that is left tries for ever what it has no activity for, at every step of the time that others skip.
afterEach(async () => {
  for (const handle of ended.splice(0)) await endChildren(time.env.client, handle);
});
afterAll(async () => {
  stopServing();
  await serving;
  await time.stop();
});

/**
 * Runs of a workflow. One server and one worker serve all that a test file imports, since to start them takes longer
 * than most cases, which are run one after the other.
 */
export function useRuns(workflowType: string) {
  /**
   * Runs a case to its end.
   * @param meanwhile happens once it is started, while its time is not skipped
   */
  async function run(
    one: Case,
    meanwhile: (handle: WorkflowHandle, answer: () => Promise<unknown>) => Promise<unknown> = async () =>
      undefined,
    { workflowId = `${workflowType}:${randomUUID()}`, isTimeSkipped = true } = {},
  ): Promise<Ending> {
    // Of a test that was too late: it would be played what is put on now.
    await unended?.terminate().catch(() => undefined);
    stage.put(one);
    const { handle, answer } = await time.start(
      isTimeSkipped ? time.env.client : time.clientInRealTime,
      workflowType,
      { workflowId, taskQueue, workflowTaskTimeout },
      one,
    );
    unended = handle;
    await meanwhile(handle, answer);
    const { result, failure } = await time.outcomeOf(handle);
    unended = undefined;
    ended.push(handle);
    const calls = stage.calls.map(({ name }) => name);
    const inputs = (name: string) =>
      stage.calls.filter((call) => call.name === name).map(({ input }) => input);
    return {
      result,
      failure,
      answer: await answer(),
      calls,
      inputs,
      times: (name) => inputs(name).length,
      handle,
      details: () => detailsOf(handle),
      tookMs: async () => {
        const { startTime, closeTime = startTime } = await handle.describe();
        return closeTime.getTime() - startTime.getTime();
      },
    };
  }

  /** A test per case: it is run, and what comes of it is what it expects. */
  function judge(cases: Record<string, ReplayCase>): void {
    const judged = Object.entries(cases).filter(([, { openAt }]) => openAt === undefined);
    const titled = judged.map(([name, one]) => [`${name}: ${one.expect?.says}`, one] as const);
    it.each(titled)('%s', async (_title, one) => {
      const { expect: expected } = one;
      if (!expected) throw new Error('A case says what must come of it');
      // The server does not get over skipping time for a run that ends before one it has started.
      const ending = await run(one, undefined, { isTimeSkipped: expected.leaves === undefined });
      await judgeEnding(ending, expected);
      expect(await endChildren(time.env.client, ending.handle)).toEqual(expected.leaves ?? []);
    });
  }

  return { run, judge, time: () => time, taskQueue, stage };
}

async function judgeEnding(ending: Ending, { says: _says, leaves: _leaves, ...expected }: Expected) {
  const { result, failure, details = [] } = expected;
  if (failure) expect(ending.failure).toMatchObject(failure);
  else expect(ending.failure).toBeUndefined();
  if ('result' in expected) expect({ result: ending.result }).toMatchObject({ result });
  if ('answer' in expected) expect({ answer: ending.answer }).toMatchObject({ answer: expected.answer });
  if (expected.calls)
    expect(ending.calls.filter((name) => name !== 'recordProgress')).toEqual(expected.calls);
  for (const [name, times] of Object.entries(expected.times ?? {}))
    expect([name, ending.times(name)]).toEqual([name, times]);
  for (const [name, inputs] of Object.entries(expected.inputs ?? {}))
    expect({ [name]: ending.inputs(name) }).toMatchObject({ [name]: inputs });
  if (details.length > 0) {
    const told = await ending.details();
    for (const text of details) expect(told).toContain(text);
  }
}

export async function detailsOf(handle: WorkflowHandle): Promise<string> {
  const metadata = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails;
}

/** Ends what a run has started and left behind. @returns the types of it */
async function endChildren({ workflow }: Client, handle: WorkflowHandle): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  const left: string[] = [];
  for (const { startChildWorkflowExecutionInitiatedEventAttributes: child } of events ?? []) {
    if (!child?.workflowId) continue;
    const started = workflow.getHandle(child.workflowId);
    if ((await started.describe()).status.name !== 'RUNNING') continue;
    left.push(child.workflowType?.name ?? '');
    await started.terminate();
  }
  return left;
}
