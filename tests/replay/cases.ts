import { readdir } from 'node:fs/promises';
import { activityInfo, getClient } from '@temporalio/activity';

/** The expected end of a run. Only the fields that are given are compared, but a failure that is not given fails the test. */
export interface Expected {
  /** The name of the test: one sentence about the behavior that the case shows. */
  behavior?: string;
  /** The result of the run, or some of its fields. */
  result?: unknown;
  /** The answer to the update that starts the run, or some of its fields. */
  answer?: unknown;
  /** Some fields of the failure that ends the run. */
  failure?: { type?: string; name?: string; message?: string; details?: unknown[] };
  /** The activities in the order of their calls, with every attempt but without the records of progress. */
  calls?: readonly string[];
  /** The number of calls by activity. */
  times?: Record<string, number>;
  /** The input of every attempt by activity, or some of its fields. */
  inputs?: Record<string, readonly unknown[]>;
  /** Texts that the details for the operator contain at the end. */
  details?: readonly string[];
  /** The types of the child workflows that are still open when the run ends. The test ends them. */
  openChildren?: readonly string[];
}

/** One run of a workflow: the real workflow, with synthetic data and replaced activities. */
export interface Case<Args extends unknown[] = unknown[]> {
  args: Args;
  activities: object;
  /** The signal or update it is started with; none otherwise. */
  startedBy?: { signal: string; args: unknown[] } | { update: string; args: unknown[] };
  /** Records a case that waits for long on the server that skips time. The tests always use that server. */
  skipTime?: true;
}

/** A case with an expected end. */
export type CheckedCase<Args extends unknown[] = unknown[]> = Case<Args> & { expect: Expected };

/** A case whose history is stored. Only a case that is recorded while it is open has no expected end. */
export interface ReplayCase<Args extends unknown[] = unknown[]> extends Case<Args> {
  expect?: Expected;
  /** Recorded while this activity is under way: as a deploy finds a run that is open. */
  openAt?: string;
}

/**
 * The cases of a workflow by name. A file of `cases/` exports them under the workflow's own name:
 * `export const settlePayment: CasesOf<typeof workflow> = { found: { args: […], activities: …, expect: … } };`
 * Its other exports are functions, with which tests make further cases that are not recorded.
 */
export type CasesOf<W extends (...args: never[]) => unknown> = Record<string, ReplayCase<Parameters<W>>>;

/** The run whose activity asks, for an activity that cancels or signals it: always at the same point of its history. */
export const ownRun = () =>
  getClient().workflow.getHandle(activityInfo().workflowExecution?.workflowId ?? '');

/** All cases by `<workflowType>/<case>`. */
export async function allCases(): Promise<Map<string, ReplayCase>> {
  const folder = new URL('cases/', import.meta.url);
  const found = new Map<string, ReplayCase>();
  for (const file of (await readdir(folder)).sort()) {
    const modules = (await import(new URL(file, folder).href)) as Record<string, Record<string, ReplayCase>>;
    for (const [workflowType, cases] of Object.entries(modules))
      if (typeof cases === 'object')
        for (const [name, replayCase] of Object.entries(cases))
          found.set(`${workflowType}/${name}`, replayCase);
  }
  return found;
}
