import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { Case, Expected, ReplayCase } from '../replay/cases.js';
import { Stage } from '../replay/play.js';
import type { TimeSkipping } from '../helpers/time-skipping.js';

/** A run that has closed. */
export interface Ending {
  result: unknown;
  /** The answer to the update that started the run. */
  answer: unknown;
  failure: Error | undefined;
  /** The activities in the order of their calls, with every attempt. */
  calls: string[];
  times: (name: string) => number;
  inputs: (name: string) => unknown[];
  handle: WorkflowHandle;
  details: () => Promise<string>;
  /** The time from start to close on the server's clock. */
  tookMs: () => Promise<number>;
}

/**
 * The server's maximum. On a busy machine a task takes longer than the default of 10 s. The server would run it again, and
 * it can no longer skip time once a task has timed out.
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
// An open child retries for ever, at every step of the time that other runs skip.
afterEach(async () => {
  for (const handle of ended.splice(0)) await endChildren(time.env.client, handle);
});
afterAll(async () => {
  stopServing();
  await serving;
  await time.stop();
});

/** Runs a workflow. One server and one worker serve a test file, because they take longer to start than most cases take. */
export function useRuns(workflowType: string) {
  /**
   * Runs a case until it closes.
   * @param meanwhile is called after the start, while the server does not skip time
   */
  async function run(
    one: Case,
    meanwhile: (handle: WorkflowHandle, answer: () => Promise<unknown>) => Promise<unknown> = async () =>
      undefined,
    { workflowId = `${workflowType}:${randomUUID()}`, isTimeSkipped = true } = {},
  ): Promise<Ending> {
    // A run of an earlier test that timed out would call the activities of this case.
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

  /** Declares one test per case: it runs the case and compares the end with the expected one. */
  function testCases(cases: Record<string, ReplayCase>): void {
    const checked = Object.entries(cases).filter(([, { openAt }]) => openAt === undefined);
    const titled = checked.map(([name, one]) => [`${name}: ${one.expect?.behavior}`, one] as const);
    it.each(titled)('%s', async (_title, one) => {
      const { expect: expected } = one;
      if (!expected?.behavior) throw new Error('Describe the behavior that the case expects');
      // The server can no longer skip time once a run closes before its child.
      const ending = await run(one, undefined, { isTimeSkipped: expected.openChildren === undefined });
      await expectEnding(ending, expected);
      expect(await endChildren(time.env.client, ending.handle)).toEqual(expected.openChildren ?? []);
    });
  }

  return { run, testCases, time: () => time, taskQueue, stage };
}

async function expectEnding(
  ending: Ending,
  { behavior: _behavior, openChildren: _openChildren, ...expected }: Expected,
) {
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

/** Ends the open children of a run. @returns their types */
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
