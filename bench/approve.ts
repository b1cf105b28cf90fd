import type { DevJson } from '../dev/dev-json.js';
import { startTestSystem } from '../tests/helpers/system.js';
import { startBare } from './bare/start.js';
import { callsOn } from './calls.js';
import { flood, quantile, timeInTurns, type Work } from './measure.js';
import { cpuMs } from './processes.js';
import type { Figure } from './report.js';

// The limits keep the whole within three minutes on a busy machine too.
const warmUp = { runs: 100, inFlight: 10, withinMs: 10_000 };
const oneAtATime = { rounds: 150, withinMs: 45_000 };
const full = { runs: 100, inFlight: 20, withinMs: 9_000 };
const floods = 3;

/** An approval, and what it is made of, against R, the bare workflow of seven calls on the same server. */
export async function approve(): Promise<Figure[]> {
  const { system, stop } = await startTestSystem();
  try {
    const bare = await startBare(system.dev.temporal.address);
    try {
      return await compare(system.dev, bare);
    } finally {
      await bare.stop();
    }
  } finally {
    await stop();
  }
}

async function compare(dev: DevJson, bare: { pid: number; run: Work }): Promise<Figure[]> {
  const calls = callsOn(dev);
  for (const work of [bare.run, calls.approve, calls.submit, calls.notify]) await flood(work, warmUp);

  const times = await timeInTurns({ R: bare.run, ...calls }, oneAtATime);
  const p50 = (name: keyof typeof times) => quantile(times[name], 0.5);
  const p95 = (name: keyof typeof times) => quantile(times[name], 0.95);

  const { temporal = 0, postgres = 0, sandbox, api, workers } = dev.pids;
  const product = [...new Set([api, workers])];
  const R = flooded(bare.run, { server: [temporal], app: [bare.pid], database: [], outside: [] });
  const approval = flooded(calls.approve, {
    server: [temporal],
    app: product,
    database: [postgres],
    outside: [sandbox],
  });
  for (let turn = 0; turn < floods; turn += 1) {
    await R.flood();
    await approval.flood();
  }

  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const inR = (value: number, whole: number) => `${(value / whole).toFixed(2)} R`;
  const spread = (name: keyof typeof times) => (p95(name) / p50(name)).toFixed(2);
  const alone = (name: 'submit' | 'notify') =>
    `${ms(p50(name))} = ${inR(p50(name), p50('R'))}, p95 ${ms(p95(name))}`;
  return [
    {
      figure: 'R, one at a time: p50',
      measured: `${ms(p50('R'))}, p95 ${ms(p95('R'))} (p95/p50 ${spread('R')})`,
    },
    {
      figure: 'approve, one at a time: p50',
      measured: `${ms(p50('approve'))} = ${inR(p50('approve'), p50('R'))}`,
      goal: '<= 1.3 R',
    },
    {
      figure: 'approve, one at a time: p95 / p50',
      measured: `${spread('approve')} (p95 ${ms(p95('approve'))})`,
      goal: '<= 2.0',
    },
    { figure: 'submit to the router alone: p50', measured: alone('submit'), goal: '<= 0.5 R' },
    { figure: 'notify/send alone: p50', measured: alone('notify'), goal: '<= 0.5 R' },
    { figure: `R, ${full.inFlight} in flight`, measured: `${R.perSecond().toFixed(1)} runs/s` },
    {
      figure: `approve, ${full.inFlight} in flight`,
      measured: `${approval.perSecond().toFixed(1)} runs/s = ${inR(approval.perSecond(), R.perSecond())}`,
      goal: '>= 0.8 R',
    },
    { figure: 'CPU of R: Temporal + app', measured: `${ms(R.cpu('server'))} + ${ms(R.cpu('app'))}` },
    {
      figure: 'CPU of an approve: Temporal + app',
      measured: `${ms(approval.cpu('server'))} + ${ms(approval.cpu('app'))} = ${inR(approval.cpu('server') + approval.cpu('app'), R.cpu('server') + R.cpu('app'))}, besides Postgres ${ms(approval.cpu('database'))}, sandbox ${ms(approval.cpu('outside'))}`,
      goal: '<= 1.3 R',
    },
  ];
}

type Part = 'server' | 'app' | 'database' | 'outside';

/** Runs a work at full load again and again, and adds up the time and the CPU of the processes behind it. */
function flooded(work: Work, processes: Record<Part, number[]>) {
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
    /** Per run, in milliseconds. */
    cpu: (part: Part) => usedMs[part] / runs,
  };
}
