import { setTimeout as pause } from 'node:timers/promises';
import type { DevJson } from '../../dev/dev-json.js';
import { createSql, type Sql } from '../../db/client.js';
import { startTestSystem } from '../../tests/helpers/system.js';
import { submissionIdOf } from '../../tests/api/orchestrator/approvals.js';
import { checkRefills, dueSchedules } from '../../tests/api/orchestrator/refills.js';
import { openTemporal } from '../../tests/helpers/temporal-view.js';
import { callsOn } from './calls.js';
import { flood, quantile, timeInTurns } from './measure.js';
import { memoryMiB } from './processes.js';
import { storeOpenPlans } from './open-plans.js';
import type { Figure } from './report.js';

const schedules = 2_000;
/** Every third waits for a check-in, and none is due. */
const plans = 20_000;
const waiting = Math.floor(plans / 3);
const memoryEvery = 250;
const warmUp = { runs: 60, inFlight: 5 };
const idleApprovals = 60;

/**
 * Runs a check of many plans of which none is due, then a day of refills, each beside approvals. Each refill runs
 * once, in bounded memory and history.
 */
export async function refills(): Promise<Figure[]> {
  const { system, stateDir, stop } = await startTestSystem({ split: true });
  const { dev } = system;
  const sql = createSql(dev.databaseUrl, { applicationName: 'bench', max: 2 });
  const temporal = await openTemporal(dev, stateDir);
  try {
    const { approve } = callsOn(dev);
    await flood(approve, warmUp);
    const idle = await timeInTurns({ approve }, { rounds: idleApprovals, withinMs: 60_000 });

    /** Approves one after the other until something else has ended. */
    const approveBeside = async (other: Promise<unknown>) => {
      const startedAt = Date.now();
      const ended = new AbortController();
      void other.finally(() => ended.abort());
      const busy: number[] = [];
      while (!ended.signal.aborted)
        busy.push(...(await timeInTurns({ approve }, { rounds: 1, withinMs: 60_000 })).approve);
      await other;
      busy.sort((a, b) => a - b);
      return { seconds: (Date.now() - startedAt) / 1000, busy };
    };
    const idleP50 = quantile(idle.approve, 0.5);
    const besides = (busy: number[]) => {
      const p50 = quantile(busy, 0.5);
      return `${p50.toFixed(1)} ms = ${(p50 / idleP50).toFixed(2)} times idle (${busy.length} approvals)`;
    };

    await storeOpenPlans(sql, plans);
    const asked = await approveBeside(checkRefills(dev));
    const [looked] = await sql<[{ count: number }]>`
      select count(*)::int from orchestrator.plan where looked_on is not null
    `;

    const made = await dueSchedules(sql, dev, schedules);
    await temporal.client.schedule.getHandle('daily-refill-check').trigger();
    const memory = watchMemory(sql, dev);
    const { seconds, busy } = await approveBeside(memory);

    const held = await memory;
    let longest = 0;
    for await (const run of temporal.client.workflow.list({
      query: 'WorkflowType in ("refillCheck", "processRefill")',
    }))
      longest = Math.max(longest, run.historyLength);
    const sent = await sandboxCounts(dev, made);
    return [
      {
        figure: `one check of ${plans} open plans, none due`,
        measured: `${asked.seconds.toFixed(0)} s (${looked.count} looked at)`,
        goal: `< 60 s (${waiting} looked at)`,
        isMet: looked.count === waiting,
      },
      {
        figure: 'approve beside that check: p50',
        measured: besides(asked.busy),
        goal: '<= 1.5 times',
      },
      {
        figure: `one check of ${schedules} due schedules`,
        measured: `${seconds.toFixed(0)} s = ${(schedules / seconds).toFixed(1)} a second`,
        goal: '>= 10 a second',
      },
      {
        figure: 'refills ordered once, charged once',
        measured: `${sent.ordered}, ${sent.charged}`,
        goal: `${schedules}, ${schedules}`,
        isMet: sent.ordered === schedules && sent.charged === schedules,
      },
      {
        figure: `memory of the workers, every ${memoryEvery} schedules`,
        measured: held.map((mib) => mib.toFixed(0)).join(', ') + ' MiB',
        goal: 'flat from 500 on',
      },
      { figure: 'longest history', measured: `${longest} events`, goal: '<= 10000 events' },
      { figure: 'approve beside no check: p50', measured: `${idleP50.toFixed(1)} ms` },
      {
        figure: 'approve beside the check of refills: p50',
        measured: besides(busy),
        goal: '<= 1.5 times',
      },
    ];
  } finally {
    await sql.end();
    await temporal.close();
    await stop();
  }
}

/** The workers' memory in MiB after each batch of schedules; resolves once every schedule has a result. */
async function watchMemory(sql: Sql, dev: DevJson): Promise<number[]> {
  const held: number[] = [];
  while (held.length < schedules / memoryEvery) {
    await pause(500);
    const [row] = await sql<{ done: number }[]>`
      select count(*)::int as done from orchestrator.refill_check_result where processed
    `;
    if ((row?.done ?? 0) >= (held.length + 1) * memoryEvery) held.push(memoryMiB([dev.pids.workers]));
  }
  return held;
}

/** Counts refills with exactly one order and one charge. */
async function sandboxCounts(dev: DevJson, made: readonly string[]) {
  const ledger = async <T>(name: 'orders' | 'charges') => {
    const response = await fetch(`${dev.sandbox}/_sandbox/${name}`);
    return ((await response.json()) as Record<typeof name, T[]>)[name];
  };
  const charges = await ledger<{ status: string; metadata: Record<string, string> }>('charges');
  const orders = await ledger<{ body: Record<string, unknown> }>('orders');
  const counts = new Map<unknown, number>();
  const add = (key: unknown) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { status, metadata } of charges) if (status === 'succeeded') add(metadata['task_id']);
  for (const { body } of orders) add(body['externalId'] ?? body['reference']);
  const references = made.map((id) => `refill-${id}-1`);
  const times = (keys: readonly string[]) => keys.filter((key) => counts.get(key) === 1).length;
  return {
    ordered: times(references.map((reference) => submissionIdOf(dev, reference))),
    charged: times(references),
  };
}
