import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { defaultStateDir } from '../dev-json.js';
import { announcement } from './announce.js';
import { personalSettings } from './personal-settings.js';
import { startSystem } from './system.js';

/** `npm start`: runs the system until Ctrl-C, or until the command of `--once-ready` exits. */
async function main(): Promise<number> {
  const { split, onceReady, state } = new Command('npm start --')
    .description('Runs the whole system for development.')
    .option('--split', 'APIs and workers in two processes', false)
    .option('--once-ready <command>', 'run this command when ready, then stop with its exit code')
    .option('--state <folder>', 'where everything is kept', defaultStateDir())
    .parse()
    .opts<{ split: boolean; onceReady?: string; state: string }>();
  const stateDir = resolve(state);

  const stopping = new AbortController();
  // A terminal and npm may both send a signal. Every stop has a timeout.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
  const stopped = once(stopping.signal, 'abort');

  try {
    const system = await startSystem({
      stateDir,
      split,
      env: personalSettings(process.env),
      signal: stopping.signal,
    });
    process.stdout.write(`${announcement(system.dev, stateDir)}\nScriptrail is ready\n`);
    const code =
      onceReady === undefined ? await stopped.then(() => 0) : await runOnce(onceReady, stateDir, stopping);
    process.stderr.write('Stopping …\n');
    await system.stop();
    return code;
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    process.stderr.write('Stopped before everything was ready.\n');
    return 0;
  }
}

/** The command's exit code; 130 if it was interrupted. */
async function runOnce(command: string, stateDir: string, stopping: AbortController): Promise<number> {
  const child = spawn(command, {
    shell: true,
    stdio: 'inherit',
    env: { ...process.env, SCRIPTRAIL_STATE_DIR: stateDir },
  });
  stopping.signal.addEventListener('abort', () => child.kill('SIGTERM'));
  const [code] = (await once(child, 'exit')) as [number | null];
  return stopping.signal.aborted ? 130 : (code ?? 1);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
