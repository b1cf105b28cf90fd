import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { signInAtCodecServer } from '../capture.js';
import { scrubHistory } from '../scrub-history.js';
import { readInteger, readSeconds, readTime } from '../values.js';
import { codeVocabulary } from '../vocabulary.js';
import type { Difference } from './compare.js';
import type { RecordedRun } from './digest.js';

/** Runs replayed by one worker at a time. */
const runsAtOnce = 100;

interface Options {
  since: number;
  until?: number;
  limit: number;
  from?: string;
  allow?: string;
}

/**
 * `rx rehearse`: replays the runs of a namespace on this build and names each step that would break or differ. It reads histories only; the live workers take no part. It imports Temporal lazily, as `rx capture` does.
 */
export function addRehearseCommand(program: Command): void {
  program
    .command('rehearse')
    .description('replay the runs of a namespace on this build, before it is deployed')
    .option(
      '--since <duration>',
      'runs started in this period, then older open ones',
      readSeconds,
      30 * 86_400,
    )
    .option('--until <time>', 'only runs started before it; continues an interrupted rehearsal', readTime)
    .option('--limit <runs>', 'at most this many', readInteger, 5_000)
    .option('--from <folder>', 'the running build; every decision is compared with its own')
    .option('--allow <file>', 'ids of differences that are meant, one per line')
    .action(async (options: Options) => {
      const { silenceSdk, watchedBundle } = await import('./digest.js');
      silenceSdk();
      const bundles = {
        next: await watchedBundle(),
        running: options.from === undefined ? undefined : await watchedBundle(options.from),
      };
      const meant = allowed(options.allow);
      const found = new Map<string, { difference: Difference; runs: string[] }>();
      let replayed = 0;
      for await (const { runs, until } of oneAhead(batches(options))) {
        const { compareBuilds } = await import('./compare.js');
        const differences = await compareBuilds([...runs.values()], bundles);
        for (const [index, id] of [...runs.keys()].entries()) {
          const difference = differences[index];
          if (difference === undefined) continue;
          const known = found.get(difference.id) ?? { difference, runs: [] };
          known.runs.push(id);
          found.set(difference.id, known);
        }
        replayed += runs.size;
        console.error(`${replayed} runs replayed. To continue from here: --until ${until}`);
      }
      const unmeant = [...found.values()].filter(({ difference }) => !meant.has(difference.id));
      for (const { difference, runs } of unmeant) console.log(asText(difference, runs));
      console.log(
        `${replayed} runs replayed, ${unmeant.length} differences, ${found.size - unmeant.length} meant.`,
      );
      if (unmeant.length > 0) process.exitCode = 1;
    });
}

/** Temporal drops runs after their retention, also while we read. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof Error) || error.name !== 'WorkflowNotFoundError') throw error;
}

const allowed = (file?: string): ReadonlySet<string> =>
  new Set(
    file === undefined
      ? []
      : readFileSync(file, 'utf8')
          .split('\n')
          .map((line) => line.replace(/#.*/, '').trim())
          .filter((line) => line !== ''),
  );

/** One difference for a person to read. */
export function asText(difference: Difference, runs: readonly string[]): string {
  const { id, workflowType, step, before, after, replayError } = difference;
  return [
    `${id}  ${workflowType}: ${step}`,
    ...before.map((line) => `  before  ${line.trim()}`),
    ...after.map((line) => `  after   ${line.trim()}`),
    replayError === null ? "  Temporal's replay would not notice." : `  Temporal's replay: ${replayError}`,
    `  ${runs.length} runs, such as ${runs.slice(0, 3).join(', ')}`,
    '',
  ].join('\n');
}

/** Fetches the next value while the caller works on this one: the histories of one batch while another is replayed. */
async function* oneAhead<T>(values: AsyncGenerator<T>): AsyncGenerator<T> {
  let coming = values.next();
  for (;;) {
    const result = await coming;
    if (result.done === true) return;
    coming = values.next();
    // The loop throws it when it comes to this value.
    coming.catch(() => undefined);
    yield result.value;
  }
}

interface ListedRun {
  workflowId: string;
  runId: string;
  startedAt: Date;
}
const dayMs = 86_400_000;

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

/** The runs of the period by their ids, without patient data. A workflow id is once in a batch. */
async function* batches({
  since,
  until,
  limit,
}: Options): AsyncGenerator<{ runs: Map<string, RecordedRun>; until: string }> {
  const { runOf } = await import('./digest.js');
  const { openTemporal } = await import('../../platform/temporal/history.js');
  const temporal = await openTemporal();
  const vocabulary = codeVocabulary();
  try {
    const now = Date.now();
    const list = (query: string) => temporal.list(query);
    let decode = await signInAtCodecServer();
    let batch = new Map<string, RecordedRun>();
    let reached = until ?? now;
    let taken = 0;
    for await (const run of newestFirst(list, now - since * 1_000, reached)) {
      const { workflowId, runId, startedAt } = run;
      if (taken === limit) break;
      if (batch.has(workflowId) || batch.size === runsAtOnce) {
        yield { runs: batch, until: new Date(reached).toISOString() };
        batch = new Map();
        decode = await signInAtCodecServer();
      }
      const history = await temporal.fetch(workflowId, runId).catch(unlessGone);
      if (history === undefined) continue;
      const scrubbed = (await scrubHistory(history, decode, vocabulary)) as RecordedRun['history'];
      batch.set(workflowId, runOf(scrubbed, workflowId));
      // Times of starts are known to the second: a few runs are replayed again, and none is left out.
      reached = startedAt.getTime() + 1_000;
      taken += 1;
    }
    if (batch.size > 0) yield { runs: batch, until: new Date(reached).toISOString() };
  } finally {
    await temporal.close();
  }
}
