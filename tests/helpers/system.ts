import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningSystem, type StartOptions, startSystem } from '../../dev/start/system.js';

export interface TestSystem {
  stateDir: string;
  system: RunningSystem;
  /** Stops the system and removes its state, unless somebody wants to look into it. */
  stop: (options?: { keepState: boolean }) => Promise<void>;
}

/** A fresh folder for a system's state, into which Postgres, which gives up root's rights, can still walk. */
export async function emptyState(): Promise<string> {
  const stateDir = await mkdtemp(join(tmpdir(), 'scriptrail-test-'));
  await chmod(stateDir, 0o755);
  return stateDir;
}

/** Nobody hears what it still has to do, and its state goes with it. */
const stopWithinMs = 1_500;

/** Tests, unlike measurements, need no traces of promises. */
export const withoutPromiseTraces = {
  NODE_OPTIONS: `--import=${new URL('leave-promises-alone.mjs', import.meta.url).href}`,
};

/** A whole system of its own, on free ports and with fresh state. */
export async function startTestSystem({
  env,
  ...options
}: Pick<StartOptions, 'split' | 'env' | 'sources'> = {}): Promise<TestSystem> {
  const stateDir = await emptyState();
  const system = await startSystem({
    stateDir,
    portBase: 0,
    quiet: true,
    ...options,
    env: { ...(process.env['JEST_WORKER_ID'] !== undefined && withoutPromiseTraces), ...env },
  });
  return {
    stateDir,
    system,
    stop: async ({ keepState } = { keepState: false }) => {
      await system.stop(stopWithinMs);
      if (!keepState) await rm(stateDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
