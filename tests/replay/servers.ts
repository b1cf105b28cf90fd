import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import type { Progress } from '../../dev/progress.js';
import { freePorts } from '../../dev/start/ports.js';
import { createSupervisor } from '../../dev/start/supervisor.js';
import { temporalSpec } from '../../dev/start/temporal.js';
import { resolveTemporalCli } from '../../dev/tools/temporal-cli.js';

const host = '127.0.0.1';

/** A development server as `npm start` has it, on free ports and with fresh state, for as long as `work` takes. */
export async function withDevServer<T>(
  progress: Progress,
  work: (connection: NativeConnection) => Promise<T>,
): Promise<T> {
  const cli = await resolveTemporalCli(progress);
  const stateDir = await mkdtemp(join(tmpdir(), 'scriptrail-replay-'));
  const supervisor = createSupervisor({ stateDir, report: progress.say, onRestart: () => undefined });
  // Ended by a signal, there is no time for more than this.
  const onExit = () => Object.values(supervisor.pids()).forEach((pid) => process.kill(pid));
  process.once('exit', onExit);
  try {
    const ports = await freePorts(host);
    await supervisor.start(
      temporalSpec({
        cli,
        host,
        databaseFile: join(stateDir, 'temporal.db'),
        port: ports.temporal,
        uiPort: ports.temporalUi,
        codecEndpoint: `http://${host}:${ports.codec}`,
      }),
    );
    const connection = await connect(`${host}:${ports.temporal}`);
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  } finally {
    process.off('exit', onExit);
    await supervisor.stop();
    await rm(stateDir, { recursive: true, force: true });
  }
}

/** It listens a moment before it is healthy. */
async function connect(address: string, triesLeft = 20): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect({ address });
  } catch (error) {
    if (triesLeft === 0) throw error;
    await pause(250);
    return connect(address, triesLeft - 1);
  }
}
