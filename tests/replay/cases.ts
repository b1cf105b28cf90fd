import { readdir } from 'node:fs/promises';
import { activityInfo, getClient } from '@temporalio/activity';

/** What must come of a case. What is left out is not judged, but a failure that is not named is one too many. */
export interface Expected {
  /** The case as a sentence: what it shows. */
  says: string;
  /** What the run answers, or these fields of it. */
  result?: unknown;
  /** What the update it is started with is answered, or these fields of it. */
  answer?: unknown;
  /** Fields of the failure it ends with. */
  failure?: { type?: string; name?: string; message?: string; details?: unknown[] };
  /** The activities in the order they were asked for, every attempt, but not the records of progress. */
  calls?: readonly string[];
  /** How often these were asked for. */
  times?: Record<string, number>;
  /** What these were asked for at each attempt, or fields of it. */
  inputs?: Record<string, readonly unknown[]>;
  /** What the operator reads at the end contains these. */
  details?: readonly string[];
  /** The types of the runs it leaves behind, which are ended. */
  leaves?: readonly string[];
}

/** One run of a workflow: the real workflow, with synthetic data and replaced activities. */
export interface Case<Args extends unknown[] = unknown[]> {
  args: Args;
  activities: object;
  /** The signal or update it is started with; none otherwise. */
  startedBy?: { signal: string; args: unknown[] } | { update: string; args: unknown[] };
  /** It waits for longer than a recording should: it is recorded where time is skipped. Judged it always is there. */
  skipTime?: true;
}

/** A case that the tests of its workflow judge. */
export type JudgedCase<Args extends unknown[] = unknown[]> = Case<Args> & { expect: Expected };

/** A case whose history is stored. It is judged, unless it is recorded while it is open. */
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
