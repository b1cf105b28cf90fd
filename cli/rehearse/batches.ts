import { openTemporal } from '../../platform/temporal/history.js';
import type { RunId } from './replayer.js';

/** Runs in one batch: replayed by one worker, and what an interruption costs. */
const runsAtOnce = 100;
const dayMs = 86_400_000;

export interface Period {
  since: number;
  until?: number;
  limit: number;
}

/** Runs to replay together, and where the next batch begins. */
export interface Batch {
  runs: RunId[];
  until: string;
}

/** The runs of a period, in batches. A workflow id is once in a batch. */
export async function* batches({ since, until, limit }: Period): AsyncGenerator<Batch> {
  const temporal = await openTemporal();
  try {
    const now = Date.now();
    let batch = new Map<string, RunId>();
    let reached = until ?? now;
    const made = (): Batch => ({ runs: [...batch.values()], until: new Date(reached).toISOString() });
    let taken = 0;
    for await (const run of newestFirst((query) => temporal.list(query), now - since * 1_000, reached)) {
      const { workflowId, runId, startedAt } = run;
      if (taken === limit) break;
      if (batch.has(workflowId) || batch.size === runsAtOnce) {
        yield made();
        batch = new Map();
      }
      batch.set(workflowId, { workflowId, runId });
      // Times of starts are known to the second: a few runs are replayed again, and none is left out.
      reached = startedAt.getTime() + 1_000;
      taken += 1;
    }
    if (batch.size > 0) yield made();
  } finally {
    await temporal.close();
  }
}

type ListedRun = RunId & { startedAt: Date };

/**
 * The runs started in a period, newest first, and then open ones that started before it. Visibility sorts by the time a
 * run closed, so this sorts each day.
 */
async function* newestFirst(
  list: (query: string) => AsyncIterable<ListedRun>,
  from: number,
  until: number,
): AsyncGenerator<ListedRun> {
  const at = (ms: number) => `"${new Date(ms).toISOString()}"`;
  for (let end = until; end > from; end -= dayMs)
    yield* await sorted(`StartTime >= ${at(Math.max(end - dayMs, from))} AND StartTime < ${at(end)}`);
  yield* await sorted(`StartTime < ${at(Math.min(from, until))} AND ExecutionStatus = "Running"`);

  async function sorted(query: string): Promise<ListedRun[]> {
    const listed: ListedRun[] = [];
    for await (const run of list(query)) listed.push(run);
    return listed.sort((a, b) => b.startedAt.getTime() - a.startedAt.getTime());
  }
}
