import { readdir } from 'node:fs/promises';
import { activityInfo, getClient } from '@temporalio/activity';

/** One run of a workflow that is recorded: the real workflow, with synthetic data and replaced activities. */
export interface ReplayCase<Args extends unknown[] = unknown[]> {
  args: Args;
  activities: object;
  /** The signal or update it is started with; none otherwise. */
  startedBy?: { signal: string; args: unknown[] } | { update: string; args: unknown[] };
  /** Recorded while this activity is under way: as a deploy finds a run that is open. */
  openAt?: string;
  /** It waits for longer than a recording should: it runs where time is skipped. */
  skipTime?: true;
}

/**
 * The cases of a workflow by name. A file of `cases/` exports them under the workflow's own name:
 * `export const settlePayment: CasesOf<typeof workflow> = { found: { args: […], activities: … } };`
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
      for (const [name, replayCase] of Object.entries(cases))
        found.set(`${workflowType}/${name}`, replayCase);
  }
  return found;
}
