import { createHash } from 'node:crypto';
import type { WorkflowBundle } from '@temporalio/worker';
import { type RecordedRun, type Replayed, replayWatched, startOf } from './digest.js';

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

/**
 * Replays runs on two builds and compares every decision. A run that only the new build cannot resume is a difference,
 * whatever it decides.
 * @param bundles `running` absent: only Temporal's own replay judges
 * @returns the first difference of each run, undefined where there is none
 */
export async function compareBuilds(
  runs: readonly RecordedRun[],
  bundles: { running?: WorkflowBundle | undefined; next: WorkflowBundle },
): Promise<(Difference | undefined)[]> {
  const [next, running] = await Promise.all([
    replayWatched(bundles.next, runs),
    bundles.running && replayWatched(bundles.running, runs),
  ]);
  return runs.map((run) => differenceOf(typeOf(run), running?.get(run.workflowId), next.get(run.workflowId)));
}

function differenceOf(
  workflowType: string,
  running: Replayed | undefined,
  next: Replayed | undefined,
): Difference | undefined {
  const breaks = next?.error && !running?.error ? next.error.message : null;
  const [before, after] = [commandsOf(running?.digest), commandsOf(next?.digest)];
  const at = running ? before.findIndex((command, index) => command !== after[index]) : -1;
  const first = at === -1 && running && after.length > before.length ? before.length : at;
  if (first === -1 && breaks === null) return undefined;
  const [was, is] = [before[first]?.split('\n') ?? [], after[first]?.split('\n') ?? []];
  const step = was[0] ?? is[0] ?? 'replay';
  const shown = {
    before: was.filter((line) => !is.includes(line)),
    after: is.filter((line) => !was.includes(line)),
  };
  const name = JSON.stringify([workflowType, step, shown, breaks === null]);
  const id = createHash('sha256').update(name).digest('hex').slice(0, 10);
  return { id, workflowType, step, ...shown, replayError: breaks };
}

/** A digest's commands, each with its lines. */
const commandsOf = (digest = ''): string[] => {
  const [, body = ''] = digest.split('```\n');
  return body.split(/\n(?=[a-z])/).filter((command) => command.trim() !== '');
};

const typeOf = ({ history }: RecordedRun) => startOf(history).workflowType?.name ?? 'unknown';
