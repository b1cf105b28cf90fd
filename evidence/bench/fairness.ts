import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { callService } from '../../cli/call-service.js';
import type { DevJson } from '../../dev/dev-json.js';
import { projectRoot } from '../../dev/project-root.js';
import { sandbox } from '../../dev/demo/outside.js';
import { startTestSystem } from '../../tests/helpers/system.js';
import { flood, quantile, timeInTurns } from './measure.js';
import type { Figure } from './report.js';

/** Concurrent approvals of one clinic. */
const backlog = 200;
const newcomers = 15;
const idle = { rounds: 10, withinMs: 60_000 };
/** Makes slots the bottleneck rather than the machine. */
const settings = { ACTIVITY_SLOTS: '4' };
const pharmacyDelayMs = 400;

/** Measures an approval of one clinic beside many of another, with and without fairness on the server. */
export async function fairness(): Promise<Figure[]> {
  const without = await measure([]);
  const withFairness = await measure(['matching.enableFairness=true']);
  const shown = (
    what: string,
    { alone, beside }: { alone: number; beside: number },
    goal?: string,
  ): Figure => ({
    figure: `another clinic's approval beside ${backlog} of one, ${what}: p50`,
    measured: `${beside.toFixed(0)} ms = ${(beside / alone).toFixed(1)} times alone (${alone.toFixed(0)} ms)`,
    ...(goal === undefined ? {} : { goal }),
  });
  return [
    shown('server without fairness', without),
    shown('server with fairness', withFairness, '<= 3 times'),
  ];
}

async function measure(temporalConfig: string[]): Promise<{ alone: number; beside: number }> {
  const { system, stateDir, stop } = await startTestSystem({ split: true, env: settings, temporalConfig });
  try {
    const crowd = await clientOf(system.dev, stateDir, 'crowd');
    const other = await clientOf(system.dev, stateDir, 'other');
    for (const target of ['pharmacy_a', 'pharmacy_b'])
      await sandbox(system.dev, '/faults', { target, kind: 'delay', delayMs: pharmacyDelayMs });
    await flood(() => other(false), { runs: 5, inFlight: 1 });
    const alone = (await timeInTurns({ other: () => other(false) }, idle)).other;
    await flood(() => crowd(true), { runs: backlog, inFlight: 10 });
    const beside = (
      await timeInTurns({ other: () => other(false) }, { rounds: newcomers, withinMs: 300_000 })
    ).other;
    return { alone: quantile(alone, 0.5), beside: quantile(beside, 0.5) };
  } finally {
    await stop();
  }
}

/** Approves for a client with its own key; `isAsync` does not wait for the answer. */
async function clientOf(dev: DevJson, stateDir: string, name: string) {
  const args = ['--import', 'tsx', 'dev/rx.ts', 'keys', 'create', name, '--scopes', 'orchestrator', '--json'];
  const env = { ...process.env, SCRIPTRAIL_STATE_DIR: stateDir };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: projectRoot, env });
  const key = JSON.parse(stdout) as { key: string; secret: string };
  const system = { ...dev, apiKeys: { [name]: key } };
  const emrPatientId = dev.patients.find(
    (one) => one.state === 'WA' && one.card === 'pm_card_visa',
  )?.emrPatientId;
  return async (isAsync: boolean) => {
    const answer = await callService(system, {
      service: 'orchestrator',
      key: name,
      method: 'POST',
      path: '/orchestrator/approve',
      body: JSON.stringify({ taskId: randomUUID(), medication: 'semaglutide', emrPatientId }),
      ...(isAsync ? { headers: { prefer: 'respond-async' } } : {}),
    });
    if (answer.status !== (isAsync ? 202 : 200)) throw new Error(`An approval was answered ${answer.status}`);
  };
}
