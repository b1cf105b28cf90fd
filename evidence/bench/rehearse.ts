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

const goalSeconds = 300;

/**
 * Measures `rx rehearse` on the runs of approvals: a list by visibility, histories, the codec server, and replays on two
 * builds. The system that made the runs stays up beside it.
 * @param histories how many approvals are made first
 */
export async function rehearse(histories = 5_000): Promise<Figure[]> {
  const { system, stateDir, stop } = await startTestSystem();
  const { address, namespace } = system.dev.temporal;
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection, namespace });
    const { approve } = callsOn(system.dev);
    const made = async () => (await workflow.count()).count;
    while ((await made()) < histories) {
      await flood(approve, { runs: 50, inFlight: 10 });
      say(`${await made()} runs`);
    }
    const build = await compiledSources();
    const command = [join(build, 'dev/rx.js'), 'rehearse', '--since', '1d', '--limit', String(histories)];
    const startedAt = performance.now();
    const child = spawn(process.execPath, [...command, '--from', build], {
      env: { ...process.env, SCRIPTRAIL_STATE_DIR: stateDir },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let cpu = 0;
    const watching = setInterval(() => (cpu = Math.max(cpu, cpuMs([child.pid ?? 0]))), 200);
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    clearInterval(watching);
    const seconds = (performance.now() - startedAt) / 1_000;
    const [measured, goal] = [output.trim(), `${histories} runs replayed, 0 differences, 0 meant.`];
    return [
      { figure: `a rehearsal of ${histories} approvals says`, measured, goal, isMet: measured === goal },
      {
        figure: 'its time, on two builds',
        measured: `${seconds.toFixed(0)} s`,
        goal: `<= ${goalSeconds} s for 5,000`,
      },
      { figure: 'its CPU', measured: `${(cpu / 1_000).toFixed(0)} s` },
    ];
  } finally {
    await connection.close();
    await stop();
  }
}
