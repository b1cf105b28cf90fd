import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { WorkflowBundle } from '@temporalio/worker';
import { type Decision, type RecordedRun, type Replayed, replayWatched, startOf } from './digest.js';

/** A step that a run would take otherwise on the new build. */
export interface Difference {
  /** Equal for equal differences of a workflow; an allow-list names it. */
  id: string;
  workflowType: string;
  /** The command, such as `scheduleActivity chargePayment`. */
  step: string;
  /** Decisions of the running build, line by line; empty for a new step. */
  before: string[];
  /** Decisions of the new build; empty for a missing step. */
  after: string[];
  /** The error of Temporal's own replay; null: it would not notice. */
  replayError: string | null;
}

/** Bundles of {@link watchedBundle}. Without `running` only Temporal's own replay judges. */
export interface Builds {
  running?: WorkflowBundle | undefined;
  next: WorkflowBundle;
}

/**
 * Replays runs on two builds and compares every decision. A run that only the new build cannot resume is a difference,
 * whatever it decides.
 * @returns the first difference of each run, undefined where there is none
 */
export async function compareBuilds(
  runs: readonly RecordedRun[],
  builds: Builds,
): Promise<(Difference | undefined)[]> {
  const [next, running] = await Promise.all([
    replayWatched(builds.next, runs),
    builds.running && replayWatched(builds.running, runs),
  ]);
  return runs.map((run) => differenceOf(typeOf(run), running?.get(run.workflowId), next.get(run.workflowId)));
}

function differenceOf(
  workflowType: string,
  running: Replayed | undefined,
  next: Replayed | undefined,
): Difference | undefined {
  const breaks = next?.error && !running?.error ? next.error.message : null;
  const [before, after] = [running?.decisions ?? [], next?.decisions ?? []];
  const at = running ? before.findIndex((decision, index) => !isDeepStrictEqual(decision, after[index])) : -1;
  const first = at === -1 && running && after.length > before.length ? before.length : at;
  if (first === -1 && breaks === null) return undefined;
  const [was, is] = [linesOf(before[first]), linesOf(after[first])];
  const step = was[0] ?? is[0] ?? 'replay';
  const shown = {
    before: was.filter((line) => !is.includes(line)),
    after: is.filter((line) => !was.includes(line)),
  };
  const name = JSON.stringify([workflowType, step, shown, breaks === null]);
  const id = createHash('sha256').update(name).digest('hex').slice(0, 10);
  return { id, workflowType, step, ...shown, replayError: breaks };
}

const linesOf = (decision: Decision | undefined): string[] =>
  decision === undefined ? [] : [decision.name, ...decision.fields, ...decision.how];

const typeOf = ({ history }: RecordedRun) => startOf(history).workflowType?.name ?? 'unknown';
