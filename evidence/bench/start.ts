import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startSystem } from '../../dev/start/system.js';
import type { Figure } from './report.js';

/** Measures how long a start takes until every service is ready: the first one, and later ones. */
export async function start(): Promise<Figure[]> {
  const stateDir = await mkdtemp(join(tmpdir(), 'scriptrail-bench-'));
  // Postgres drops root's rights and still has to read this folder.
  await chmod(stateDir, 0o755);
  const startOnce = async () => {
    const startedAt = performance.now();
    const system = await startSystem({ stateDir, portBase: 0, quiet: true });
    const tookMs = performance.now() - startedAt;
    await system.stop();
    return `${(tookMs / 1000).toFixed(1)} s`;
  };
  try {
    return [
      { figure: 'first start to ready', measured: await startOnce() },
      { figure: 'second start to ready', measured: await startOnce(), goal: '<= 5 s' },
      { figure: 'third start to ready', measured: await startOnce(), goal: '<= 5 s' },
    ];
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}
