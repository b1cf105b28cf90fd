import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTestSystem } from '../../tests/helpers/system.js';
import { startBare } from './bare/start.js';
import { flood, quantile, timeInTurns, type Work } from './measure.js';
import { cpuMs } from './processes.js';
import { type Figure, say } from './report.js';

// These limits keep the bench within four minutes on a busy machine.
const warmUp = { runs: 40, inFlight: 10, withinMs: 4_000 };
const timed = { rounds: 80, withinMs: 16_000 };
const full = { runs: 20, inFlight: 20 };
const floods = 8;

const majors = ['20', '22', '24'];

// JavaScript, because workflow threads load it without tsx.
const module = (file: string) => new URL(`sdk/${file}.mjs`, import.meta.url).href;
/** The modules that R loads first in each thread. */
const variants = {
  'as it is': [],
  'hook off': [module('hook-off')],
  'watchdog off': [module('watchdog-off')],
  'both off': [module('hook-off'), module('watchdog-off')],
};
type Variant = keyof typeof variants;
const names = Object.keys(variants) as Variant[];

/**
 * Measures the SDK's cost at the border of the sandbox on each Node. The hook takes a stack trace of every promise;
 * the watchdog is a thread per call into the sandbox.
 * @param rounds runs of each of the four variants
 */
export async function sdk(rounds = timed.rounds): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptrail-bench-'));
  const { system, stop } = await startTestSystem();
  try {
    const figures: Figure[] = [];
    for (const major of majors) {
      const node = await nodeOf(major, join(folder, major));
      figures.push(
        ...(node
          ? await compare(node, system.dev.temporal.address, rounds)
          : [{ figure: `Node ${major}`, measured: 'cannot be had' }]),
      );
    }
    return [...figures, { figure: 'load at the end', measured: (loadavg()[0] ?? 0).toFixed(1) }];
  } finally {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Node {
  execPath: string;
  version: string;
}

const run = promisify(execFile);

/** This Node if its version fits, otherwise the npm package `node`. */
async function nodeOf(major: string, folder: string): Promise<Node | undefined> {
  if (process.versions.node.startsWith(`${major}.`))
    return { execPath: process.execPath, version: process.versions.node };
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, `node@${major}`]);
    const execPath = join(folder, 'node_modules', '.bin', 'node');
    const { stdout } = await run(execPath, ['--version']);
    return { execPath, version: stdout.trim().slice(1) };
  } catch (error) {
    say(`Node ${major}: ${String(error)}`);
    return undefined;
  }
}

async function compare({ execPath, version }: Node, temporal: string, rounds: number): Promise<Figure[]> {
  say(`Node ${version}`);
  const started = await Promise.all(
    names.map(
      async (name) => [name, await startBare(temporal, { execPath, imports: variants[name] })] as const,
    ),
  );
  const apps = Object.fromEntries(started) as Record<Variant, (typeof started)[number][1]>;
  try {
    const works = Object.fromEntries(names.map((name) => [name, apps[name].run])) as Record<Variant, Work>;
    for (const name of names) await flood(works[name], warmUp);
    say('one at a time, in turns');
    const times = await timeInTurns(works, { ...timed, rounds });

    const used = Object.fromEntries(names.map((name) => [name, { ms: 0, runs: 0 }])) as Record<
      Variant,
      { ms: number; runs: number }
    >;
    say(`${full.inFlight} in flight`);
    // Short rounds, in which each variant is first equally often.
    for (let turn = 0; turn < floods; turn += 1)
      for (const name of [...names.slice(turn % names.length), ...names.slice(0, turn % names.length)]) {
        const before = cpuMs([apps[name].pid]);
        used[name].runs += (await flood(works[name], full)).done;
        used[name].ms += cpuMs([apps[name].pid]) - before;
      }

    const p = (name: Variant, share: number) => quantile(times[name], share);
    const cpu = (name: Variant) => used[name].ms / used[name].runs;
    const compared = (name: Variant, of: (name: Variant) => number) =>
      `${of(name).toFixed(1)} ms = ${(of(name) / of('as it is')).toFixed(2)}`;
    return [
      {
        figure: `Node ${version}: runs of each variant one at a time, ${full.inFlight} in flight`,
        measured: `${times['as it is'].length}, ${used['as it is'].runs}`,
      },
      ...names.map((name) => ({
        figure: `Node ${version}, ${name}: p50 one at a time; CPU of the app in flight`,
        measured:
          `${compared(name, (of) => p(of, 0.5))} (p25 ${p(name, 0.25).toFixed(1)} ms, p75 ${p(name, 0.75).toFixed(1)} ms); ` +
          compared(name, cpu),
      })),
    ];
  } finally {
    for (const name of names) await apps[name].stop();
  }
}
