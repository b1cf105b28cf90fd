import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { readInteger, readSeconds, readTime } from '../values.js';
import type { Period } from './batches.js';
import type { Difference } from './compare.js';

interface Options extends Period {
  from?: string;
  allow?: string;
}

/**
 * `rx rehearse`: replays the runs of a namespace on this build and names each step that would break or differ. It reads
 * histories only; the live workers take no part. It imports Temporal lazily: a static import would double the start time
 * of every command.
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
      const [{ batches }, { watchedBundle }, { replayAll }] = await Promise.all([
        import('./batches.js'),
        import('./digest.js'),
        import('./replayers.js'),
      ]);
      const bundled = async () => ({
        next: await watchedBundle(),
        running: options.from === undefined ? undefined : await watchedBundle(options.from),
      });
      const meant = allowed(options.allow);
      const found = new Map<string, { difference: Difference; runs: string[] }>();
      let replayed = 0;
      for await (const replays of replayAll(batches(options), bundled())) {
        for (const { workflowId, difference } of replays.found) {
          const known = found.get(difference.id) ?? { difference, runs: [] };
          known.runs.push(workflowId);
          found.set(difference.id, known);
        }
        replayed += replays.replayed;
        console.error(
          `${counted(replayed, 'run')} replayed. To continue from here: --until ${replays.until}`,
        );
      }
      const unmeant = [...found.values()].filter(({ difference }) => !meant.has(difference.id));
      for (const { difference, runs } of unmeant) console.log(asText(difference, runs));
      console.log(
        `${counted(replayed, 'run')} replayed, ${counted(unmeant.length, 'difference')}, ${found.size - unmeant.length} meant.`,
      );
      if (unmeant.length > 0) process.exitCode = 1;
    });
}

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

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
    `  ${counted(runs.length, 'run')}, such as ${runs.slice(0, 3).join(', ')}`,
    '',
  ].join('\n');
}
