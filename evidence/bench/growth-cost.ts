import { createSql } from '../../db/client.js';
import type { DevJson } from '../../dev/dev-json.js';
import { approve, semaglutideFor } from '../../tests/api/orchestrator/approvals.js';
import { day } from '../../tests/faults/long/day.js';
import { addPast } from '../../tests/faults/long/past.js';
import { rarities } from '../../tests/faults/long/rare.js';
import { newPatient, saveCard } from '../../tests/helpers/patients.js';
import { startTestSystem, type TestSystem } from '../../tests/helpers/system.js';
import { callsOn } from './calls.js';
import { flood, quantile, timeInTurns } from './measure.js';
import { cpuMs } from './processes.js';
import { type Figure, say } from './report.js';

const warmUp = { runs: 100, inFlight: 10, withinMs: 20_000 };
const timed = { rounds: 200, withinMs: 180_000 };
const full = { runs: 100, inFlight: 10, withinMs: 15_000 };
const floods = 3;
/** Patients whose charges are declined. */
const approvalsPerPatient = 20;

/**
 * Compares an approve beside closed and open runs with one in an empty system, in turns. Open runs are a hundredth of
 * the closed ones.
 * @param closed rows of each table that grows
 */
export async function growth(closed = 1_000_000): Promise<Figure[]> {
  const inFlight = Math.ceil(closed / 100);
  const systems = { none: await startTestSystem(), beside: await startTestSystem() };
  try {
    await fill(systems.beside, closed, inFlight);
    const works = {
      none: callsOn(systems.none.system.dev).approve,
      beside: callsOn(systems.beside.system.dev).approve,
    };
    for (const work of Object.values(works)) await flood(work, warmUp);
    say('one at a time, in turns');
    const times = await timeInTurns(works, timed);

    const used = { none: { cpu: 0, runs: 0 }, beside: { cpu: 0, runs: 0 } };
    for (let turn = 0; turn < floods; turn += 1)
      for (const name of ['none', 'beside'] as const) {
        const pids = pidsOf(systems[name].system.dev);
        const before = cpuMs(pids);
        const { done } = await flood(works[name], full);
        used[name].cpu += cpuMs(pids) - before;
        used[name].runs += done;
      }

    const ms = (value: number) => `${value.toFixed(1)} ms`;
    const p = (name: keyof typeof times, share: number) => quantile(times[name], share);
    const spread = (name: keyof typeof times) =>
      `${ms(p(name, 0.5))} (p25 ${ms(p(name, 0.25))}, p75 ${ms(p(name, 0.75))}, p95 ${ms(p(name, 0.95))}, ${times[name].length} calls)`;
    const cpu = (name: keyof typeof used) => used[name].cpu / used[name].runs;
    return [
      { figure: 'closed rows of each table, runs in flight', measured: `${closed}, ${inFlight}` },
      { figure: 'approve beside none: p50', measured: spread('none') },
      {
        figure: 'approve beside them: p50',
        measured: `${spread('beside')} = ${(p('beside', 0.5) / p('none', 0.5)).toFixed(2)} times`,
        goal: '<= 1.05 times',
      },
      { figure: 'CPU of an approve beside none, all processes', measured: ms(cpu('none')) },
      {
        figure: 'CPU of an approve beside them, all processes',
        measured: `${ms(cpu('beside'))} = ${(cpu('beside') / cpu('none')).toFixed(2)} times`,
        goal: '<= 1.2 times',
      },
    ];
  } finally {
    for (const { stop } of Object.values(systems)) await stop();
  }
}

/** Inserts closed rows by SQL, then starts runs that really wait: approvals with a declined card and its dunning. */
async function fill(
  { system: { dev }, stateDir }: TestSystem,
  closed: number,
  inFlight: number,
): Promise<void> {
  const sql = createSql(dev.databaseUrl, { applicationName: 'bench', max: 1 });
  say('a day, to be copied');
  await day({ dev, sql, stateDir });
  say(`${closed} closed rows of each table`);
  await rarities({ dev, sql, stateDir });
  await addPast(dev.databaseUrl, closed);
  await sql.end();

  say(`${inFlight} runs in flight`);
  const patients: string[] = [];
  while (patients.length < inFlight / approvalsPerPatient) {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient, { card: 'pm_card_chargeCustomerFail' });
    patients.push(patient.id);
  }
  let turn = 0;
  const refused = async () => {
    const patientId = patients[(turn += 1) % patients.length];
    const { status, body } = await approve(dev, semaglutideFor(patientId ?? ''));
    if (status !== 200) throw new Error(`an approval was answered ${status}: ${JSON.stringify(body)}`);
  };
  await flood(refused, { runs: inFlight, inFlight: 10 });
}

const pidsOf = ({ pids: { temporal = 0, postgres = 0, api, workers } }: DevJson) => [
  ...new Set([temporal, postgres, api, workers]),
];
