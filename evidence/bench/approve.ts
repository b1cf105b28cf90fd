import { loadavg } from 'node:os';
import type { DevJson } from '../../dev/dev-json.js';
import { startTestSystem } from '../../tests/helpers/system.js';
import { startBare } from './bare/start.js';
import { callsOn } from './calls.js';
import type { ForkedApp } from './forked-app.js';
import { startIdeal } from './ideal/start.js';
import { flood, quantile, timeInTurns, type Work } from './measure.js';
import { cpuMs } from './processes.js';
import { type Figure, say } from './report.js';

// These limits keep the bench within five minutes on a busy machine.
const warmUp = { runs: 100, inFlight: 10, withinMs: 10_000 };
const timed = { rounds: 150, withinMs: 90_000 };
const full = { runs: 100, inFlight: 20, withinMs: 9_000 };
const floods = 3;

/** Everything that runs on the same servers at the same time. */
const names = ['R', 'ideal', 'DBOS', 'plain code', 'approve'] as const;
type Name = (typeof names)[number];

/**
 * Measures an approval and its parts beside R (a bare workflow of seven calls), the ideal row (plain Temporal), DBOS,
 * and plain code.
 * @param rounds calls of each kind
 */
export async function approve(rounds = timed.rounds): Promise<Figure[]> {
  // As in production, and as the other programs have it.
  const { system, stop } = await startTestSystem({ env: { WORKFLOW_THREADS: 'true' } });
  const started: ForkedApp[] = [];
  const beside = async <App extends ForkedApp>(app: Promise<App>): Promise<App> => {
    started.push(await app);
    return app;
  };
  try {
    const { dev } = system;
    const { approve } = callsOn(dev);
    await flood(approve, warmUp);
    say('an approve by itself, one at a time');
    const byItself = (await timeInTurns({ approve }, { ...timed, rounds })).approve;
    const apps = {
      R: await beside(startBare(dev.temporal.address)),
      ideal: await beside(startIdeal(dev, 'temporal')),
      DBOS: await beside(startIdeal(dev, 'dbos')),
      'plain code': await beside(startIdeal(dev, 'plain')),
    };
    return await compare(dev, apps, { rounds, byItself });
  } finally {
    for (const app of started) await app.stop();
    await stop();
  }
}

type Others = Record<Exclude<Name, 'approve'>, ForkedApp & { run: Work }>;

/** @param options.byItself times of an approve before the other programs start */
async function compare(
  dev: DevJson,
  others: Others,
  { rounds, byItself }: { rounds: number; byItself: readonly number[] },
): Promise<Figure[]> {
  const { approve, submit, notify } = callsOn(dev);
  const works: Record<Name, Work> = {
    R: others.R.run,
    ideal: others.ideal.run,
    DBOS: others.DBOS.run,
    'plain code': others['plain code'].run,
    approve,
  };
  for (const [name, work] of Object.entries({ ...works, submit, notify })) {
    say(`warming up ${name}`);
    await flood(work, warmUp);
  }
  say('one at a time, in turns');
  const times = await timeInTurns({ ...works, submit, notify }, { ...timed, rounds });

  const { temporal = 0, postgres = 0, sandbox, api, workers } = dev.pids;
  const flooded = Object.fromEntries(
    names.map((name) => [
      name,
      floodedBy(works[name], {
        server: [temporal],
        app: name === 'approve' ? [...new Set([api, workers])] : [others[name].pid],
        database: [postgres],
        outside: [sandbox],
      }),
    ]),
  ) as Record<Name, ReturnType<typeof floodedBy>>;
  for (let turn = 0; turn < floods; turn += 1)
    for (const name of names) {
      say(`${full.inFlight} in flight: ${name}`);
      await flooded[name].flood();
    }

  const p = (name: keyof typeof times, share: number) => quantile(times[name], share);
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const spread = (name: keyof typeof times) => (p(name, 0.95) / p(name, 0.5)).toFixed(2);
  const cpuOf = (name: Name) => flooded[name].cpu('server') + flooded[name].cpu('app');
  /** A value relative to the ideal row and R. */
  const compared = (value: number, of: (name: Name) => number) =>
    `${(value / of('ideal')).toFixed(2)} ideal = ${(value / of('R')).toFixed(2)} R`;
  const p50 = (name: Name) => p(name, 0.5);
  const perSecond = (name: Name) => flooded[name].perSecond();
  const alone = (name: 'submit' | 'notify') =>
    `${ms(p(name, 0.5))} = ${(p(name, 0.5) / p50('R')).toFixed(2)} R, p95 ${ms(p(name, 0.95))}`;

  return [
    {
      figure: 'calls of each kind in turns, load at the end',
      measured: `${times.R.length}, ${(loadavg()[0] ?? 0).toFixed(1)}`,
    },
    ...names.map((name) => ({
      figure: `${name}, one at a time: p50`,
      measured: `${ms(p50(name))} = ${compared(p50(name), p50)} (p25 ${ms(p(name, 0.25))}, p75 ${ms(p(name, 0.75))})`,
      ...(name === 'approve' && { goal: '<= 1.0 ideal' }),
    })),
    ...names.map((name) => ({
      figure: `${name}, one at a time: p95 / p50`,
      measured: `${spread(name)} (p95 ${ms(p(name, 0.95))})`,
    })),
    {
      figure: 'approve, one at a time and nothing else: p95 / p50',
      measured: `${(quantile(byItself, 0.95) / quantile(byItself, 0.5)).toFixed(2)} (p50 ${ms(quantile(byItself, 0.5))}, p95 ${ms(quantile(byItself, 0.95))})`,
      goal: '<= 1.6',
    },
    {
      figure: 'approve against the same steps on DBOS: p50',
      measured: `${(p50('approve') / p50('DBOS')).toFixed(2)} times`,
      goal: '<= 5 times',
    },
    { figure: 'submit to the router alone: p50', measured: alone('submit'), goal: '<= 0.45 R' },
    { figure: 'notify/send alone: p50', measured: alone('notify'), goal: '<= 0.45 R' },
    ...names.map((name) => ({
      figure: `${name}, ${full.inFlight} in flight`,
      measured: `${perSecond(name).toFixed(1)} a second = ${compared(perSecond(name), perSecond)}`,
      ...(name === 'approve' && { goal: '>= 0.95 ideal' }),
    })),
    ...names.map((name) => ({
      figure: `CPU of ${name === 'approve' ? 'an approve' : name}: Temporal + app`,
      measured:
        `${ms(flooded[name].cpu('server'))} + ${ms(flooded[name].cpu('app'))} = ${compared(cpuOf(name), cpuOf)}, ` +
        `besides Postgres ${ms(flooded[name].cpu('database'))}, sandbox ${ms(flooded[name].cpu('outside'))}`,
      ...(name === 'approve' && { goal: '<= 1.1 ideal' }),
    })),
  ];
}

type Part = 'server' | 'app' | 'database' | 'outside';

/** Runs a work at full load repeatedly, and sums time and CPU of its processes. */
function floodedBy(work: Work, processes: Record<Part, number[]>) {
  const parts = Object.keys(processes) as Part[];
  const usedMs: Record<Part, number> = { server: 0, app: 0, database: 0, outside: 0 };
  let tookMs = 0;
  let runs = 0;
  return {
    flood: async () => {
      const before = parts.map((part) => cpuMs(processes[part]));
      const flooding = await flood(work, full);
      tookMs += flooding.tookMs;
      runs += flooding.done;
      parts.forEach((part, index) => (usedMs[part] += cpuMs(processes[part]) - (before[index] ?? 0)));
    },
    perSecond: () => (runs / tookMs) * 1000,
    /** Milliseconds per run. */
    cpu: (part: Part) => usedMs[part] / runs,
  };
}
