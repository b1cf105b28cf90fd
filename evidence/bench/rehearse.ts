import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { Client, Connection } from '@temporalio/client';
import { compiledSources } from '../../dev/compile.js';
import { startTestSystem } from '../../tests/helpers/system.js';
import { callsOn } from './calls.js';
import { flood } from './measure.js';
import { cpuMs } from './processes.js';
import { type Figure, say } from './report.js';

/** A fifth of the runs is made, and all of them are rehearsed five times. */
const rounds = 5;
const goalSeconds = 300;

/**
 * Measures `rx rehearse` on the runs of approvals: a list by visibility, histories, the codec server, and replays on two
 * builds. The system that made the runs stays up beside it.
 * @param histories rehearsed in all
 */
export async function rehearse(histories = 5_000): Promise<Figure[]> {
  const { system, stateDir, stop } = await startTestSystem();
  const { address, namespace } = system.dev.temporal;
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection, namespace });
    const { approve } = callsOn(system.dev);
    const made = async () => (await workflow.count()).count;
    const runs = Math.ceil(histories / rounds);
    while ((await made()) < runs) {
      await flood(approve, { runs: 50, inFlight: 10 });
      say(`${await made()} runs`);
    }
    const build = await compiledSources();
    const env = { ...process.env, SCRIPTRAIL_STATE_DIR: stateDir };
    const command = [join(build, 'dev/rx.js'), 'rehearse', '--since', '1d', '--limit', String(runs)];
    const said = new Set<string>();
    let cpu = 0;
    const startedAt = performance.now();
    for (let round = 1; round <= rounds; round += 1) {
      const child = spawn(process.execPath, [...command, '--from', build], {
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let spent = 0;
      const watching = setInterval(() => (spent = Math.max(spent, cpuMs([child.pid ?? 0]))), 200);
      const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      clearInterval(watching);
      cpu += spent;
      said.add(output.trim());
      say(`rehearsed ${round * runs} histories`);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const [measured, goal] = [[...said].join('; '), `${runs} runs replayed, 0 differences, 0 meant.`];
    return [
      { figure: `rehearsals of ${runs} approvals`, measured: String(rounds) },
      { figure: 'each says', measured, goal, isMet: measured === goal },
      {
        figure: `time of ${runs * rounds} histories on two builds`,
        measured: `${seconds.toFixed(0)} s`,
        goal: `<= ${goalSeconds} s for 5,000`,
      },
      { figure: 'CPU of the rehearsals', measured: `${(cpu / 1_000).toFixed(0)} s` },
    ];
  } finally {
    await connection.close();
    await stop();
  }
}
