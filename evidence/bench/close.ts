import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createSql } from '../../db/client.js';
import type { DevJson } from '../../dev/dev-json.js';
import { startSystem } from '../../dev/start/system.js';
import { call } from '../../tests/helpers/client.js';
import {
  addToBooks,
  chargeOf,
  insertOrders,
  insertPayments,
  labelOf,
  type PastOrder,
} from '../../tests/helpers/past-orders.js';
import { emptyState } from '../../tests/helpers/system.js';
import { callsOn } from './calls.js';
import { flood, quantile, timeInTurns, type Work } from './measure.js';
import { cpuMs, memoryMiB } from './processes.js';
import { type Figure, say } from './report.js';

const month = '2026-03';
const days = 31;
const memoryEvery = 5;
const cents = 29_900;
const billedCents = 8_000;
const warmUp = { runs: 60, inFlight: 5 };
const idleApprovals = 60;
/** Beside the closes. */
const approveEveryMs = 1_000;

const dayOf = (n: number): string => `${month}-${String(n + 1).padStart(2, '0')}`;

/** A moment of the day, each a little later. */
const timeOf = (day: number, n: number): string =>
  new Date(Date.parse(`${dayOf(day)}T14:00:00.000Z`) + (n % 30_000) * 1_000).toISOString();

/** Closes each day of a month in turn, then matches the statement of the pharmacy: time and memory. */
export async function close(orders = 30_000): Promise<Figure[]> {
  const stateDir = await emptyState();
  const made = Array.from({ length: orders }, (_, n): PastOrder => ({
    id: randomUUID(),
    at: timeOf(Math.floor((n * days) / orders), n),
  }));
  addToBooks(stateDir, {
    stripe: made.map((order) => chargeOf(order, cents)),
    labels: made.map((order) => labelOf(order)),
  });
  const system = await startSystem({ stateDir, portBase: 0, quiet: true, split: true });
  const { dev } = system;
  const sql = createSql(dev.databaseUrl, { applicationName: 'bench', max: 2 });
  try {
    const { approve } = callsOn(dev);
    await flood(approve, warmUp);
    const idle = await timeInTurns({ approve }, { rounds: idleApprovals, withinMs: 60_000 });
    await insertOrders(sql, made);
    await insertPayments(sql, made, cents);
    await sql`analyze`;
    say(`${orders} orders`);
    const ask = async <T>(path: string, body: unknown): Promise<T> => {
      const answer = await call<T>(dev, 'orchestrator', { key: 'admin', method: 'POST', path, body });
      if (answer.status > 201) throw new Error(`${path}: ${answer.status}`);
      return answer.body;
    };
    const held: number[] = [];
    let [matched, differences, longest] = [0, 0, 0];
    const cpuBefore = cpuOf(dev);
    const over = new AbortController();
    const beside = approveBeside(approve, over.signal);
    const startedAt = Date.now();
    for (let n = 0; n < days; n += 1) {
      const began = Date.now();
      type Close = { close: { matched: number; differences: number } };
      const { close } = await ask<Close>('/orchestrator/closes', { date: dayOf(n) });
      longest = Math.max(longest, Date.now() - began);
      matched += close.matched;
      differences += close.differences;
      if ((n + 1) % memoryEvery === 0) held.push(memoryMiB([dev.pids.workers]));
      say(`${dayOf(n)}: ${Date.now() - began} ms`);
    }
    const closed = (Date.now() - startedAt) / 1000;
    const cpu = Object.entries(cpuOf(dev)).map(
      ([name, ms]) => `${name} ${((ms - (cpuBefore[name] ?? 0)) / 1000).toFixed(1)}`,
    );
    over.abort();
    const busy = await beside;
    const p50 = { idle: quantile(idle.approve, 0.5), busy: quantile(busy, 0.5) };

    const began = Date.now();
    type Posted = { statement: { matched: number; differences: number } };
    const { statement } = await ask<Posted>('/orchestrator/statements?pharmacy=pharmacy_a', {
      from: dayOf(0),
      to: dayOf(days - 1),
      lines: made.map(({ id }) => ({ pharmacyOrderId: `case_${id}`, amountCents: billedCents })),
    });
    const reconciled = (Date.now() - began) / 1000;
    const mib = memoryMiB([dev.pids.workers]);
    return [
      {
        figure: `${days} days of ${orders} orders, closed in turn`,
        measured: `${closed.toFixed(1)} s; the longest day ${(longest / 1000).toFixed(1)} s`,
        goal: '<= 60 s',
      },
      { figure: 'CPU seconds of it, with the approvals beside it', measured: cpu.join(', ') },
      {
        figure: 'matched, different',
        measured: `${matched}, ${differences}`,
        goal: `${orders}, 0`,
        isMet: matched === orders && differences === 0,
      },
      { figure: 'approve beside no close: p50', measured: `${p50.idle.toFixed(1)} ms` },
      {
        figure: 'approve beside the closes, one a second: p50',
        measured: `${p50.busy.toFixed(1)} ms = ${(p50.busy / p50.idle).toFixed(2)} times idle (${busy.length} approvals)`,
        goal: '<= 1.5 times',
      },
      { figure: `a statement of ${orders} lines`, measured: `${reconciled.toFixed(1)} s`, goal: '<= 60 s' },
      {
        figure: 'matched, different',
        measured: `${statement.matched}, ${statement.differences}`,
        goal: `${orders}, 0`,
        isMet: statement.matched === orders && statement.differences === 0,
      },
      {
        figure: `memory of the workers, every ${memoryEvery} days, then after the statement`,
        measured: `${[...held, mib].map((mib) => mib.toFixed(0)).join(', ')} MiB`,
        goal: 'flat',
      },
    ];
  } finally {
    await sql.end();
    await system.stop(1_500);
  }
}

/** CPU milliseconds of the parts so far. */
const cpuOf = ({ pids }: DevJson): Record<string, number> =>
  Object.fromEntries(
    Object.entries(pids).flatMap(([name, pid]) => (pid === undefined ? [] : [[name, cpuMs([pid])] as const])),
  );

/** @returns the times of the approvals, ascending */
async function approveBeside(approve: Work, ended: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!ended.aborted) {
    const { tookMs } = await flood(approve, { runs: 1, inFlight: 1 });
    times.push(tookMs);
    await pause(Math.max(0, approveEveryMs - tookMs));
  }
  return times.sort((a, b) => a - b);
}
