import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { callService } from '../../../cli/call-service.js';
import { quantile } from '../measure.js';
import { cpuMs } from '../processes.js';
import { type Figure, report } from '../report.js';
import { showProgress } from '../../../dev/progress.js';
import { type Cluster, startCluster } from './cluster.js';

/**
 * `npm run evidence -- cluster [<approvals> <plugin>]`: runs the whole system on two Temporal servers over Postgres.
 * It measures approvals while both servers run, then while it kills each in turn.
 */
const runs = Number(process.argv[2] ?? 200);
const inFlight = 10;
const tries = 8;

/** docker-compose.yml uses this plugin, because it prepares statements. */
const plugin = process.argv[3] ?? 'postgres12_pgx';
const figures: Figure[] = [];
const cluster = await startCluster(showProgress(process.stderr), plugin);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cluster.stop().finally(() => process.exit(130)));
try {
  await approvals(cluster, Math.min(20, runs));
  figures.push({
    figure: `${plugin}, both servers`,
    ...(await measured(cluster, () => approvals(cluster, runs))),
  });
  const survived = await measured(cluster, async () => {
    // The supervisor restarts a killed server after a moment, as an init system would.
    const victims = new Map([
      [Math.floor(runs / 4), 'temporal-1'],
      [Math.floor((runs * 5) / 8), 'temporal-2'],
    ]);
    return approvals(cluster, runs, (done) => kill(cluster, victims.get(done)));
  });
  figures.push({ figure: `${plugin}, each server killed in turn`, ...survived });
} finally {
  await cluster.stop();
}
report('cluster', figures, `npm run evidence -- cluster ${runs}`);
process.exit(0);

interface Outcome {
  timesMs: number[];
  completed: number;
  repeats: number;
  orders: number;
  charges: number;
}

async function measured(cluster: Cluster, work: () => Promise<Outcome>): Promise<Omit<Figure, 'figure'>> {
  const cpu = () => {
    const {
      postgres = 0,
      sandbox = 0,
      'temporal-1': one = 0,
      'temporal-2': two = 0,
      ...product
    } = cluster.pids();
    return [cpuMs([one, two]), cpuMs([postgres]), cpuMs(Object.values(product)), cpuMs([sandbox])];
  };
  const before = cpu();
  const startedAt = performance.now();
  const { timesMs, completed, repeats, orders, charges } = await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const each = cpu().map((ms, at) => ((ms - (before[at] ?? 0)) / runs).toFixed(0));
  const s = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  timesMs.sort((a, b) => a - b);
  return {
    measured:
      `${completed} of ${runs} completed, ${orders} orders, ${charges} charges, ${repeats} requests repeated; ` +
      `${(runs / seconds).toFixed(2)} a second, p50 ${s(quantile(timesMs, 0.5))}, p95 ${s(quantile(timesMs, 0.95))}, longest ${s(timesMs.at(-1) ?? 0)}; ` +
      `CPU ms each: ${Number(each[0]) > 0 ? `Temporal ${each[0]}, ` : ''}Postgres ${each[1]}, product ${each[2]}, sandbox ${each[3]}`,
    goal: `${runs} of ${runs}, once each`,
    isMet: [completed, orders, charges].every((count) => count === runs),
  };
}

/** Approves as a client does: it repeats the request until the pipeline answers. */
async function approvals(
  { system, sandbox }: Cluster,
  count: number,
  onDone: (done: number) => void = () => undefined,
): Promise<Outcome> {
  const patients = system.patients as { emrPatientId: string; state: string; card: string | null }[];
  const usable = patients.filter(
    ({ state, card }) => card === 'pm_card_visa' && ['NY', 'TX', 'WA'].includes(state),
  );
  const outcome = { timesMs: [] as number[], completed: 0, repeats: 0 };
  const before = await books(sandbox);
  let started = 0;
  const lane = async () => {
    while (started < count) {
      const { emrPatientId } = usable[started++ % usable.length] ?? { emrPatientId: '' };
      const body = JSON.stringify({ taskId: randomUUID(), medication: 'semaglutide', emrPatientId });
      const startedAt = performance.now();
      for (let attempt = 1; attempt <= tries; attempt += 1) {
        const call = {
          service: 'orchestrator',
          method: 'POST',
          path: '/orchestrator/approve',
          body,
        } as const;
        const answer = await callService(system, call).catch(() => undefined);
        if (answer?.status === 200) {
          outcome.completed += (answer.body as { success?: boolean }).success === true ? 1 : 0;
          break;
        }
        outcome.repeats += 1;
        await sleep(1_000);
      }
      outcome.timesMs.push(performance.now() - startedAt);
      onDone(outcome.timesMs.length);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  const after = await books(sandbox);
  return { ...outcome, orders: after.orders - before.orders, charges: after.charges - before.charges };
}

function kill({ pids }: Cluster, name: string | undefined): void {
  const pid = name === undefined ? undefined : pids()[name];
  if (pid) process.kill(pid, 'SIGKILL');
}

async function books(sandbox: string): Promise<{ orders: number; charges: number }> {
  const count = async (path: string) => {
    const response = await fetch(`${sandbox}/_sandbox/${path}`);
    const rows = Object.values((await response.json()) as Record<string, unknown>).find(Array.isArray);
    return rows?.length ?? 0;
  };
  return {
    orders: await count('orders?limit=100000'),
    charges: await count('charges?limit=100000'),
  };
}
