import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inheritedEnvironment, type Plan, sandboxEnvironment } from './environment.js';
import type { ChildSpec } from './supervisor.js';

/**
 * Limits the heap: by default, Node keeps hundreds of megabytes of slack.
 * @param youngMiB size of the young generation; a smaller one is collected more often
 */
const flagsFor = (sources: string, youngMiB: number): string[] => [
  '--max-old-space-size=512',
  `--max-semi-space-size=${youngMiB}`,
  `--import=${pathToFileURL(join(sources, 'dev/stack-traces.js')).href}`,
];

const nodeChild = { command: process.execPath, ready: 'message', stopSignal: 'SIGTERM' } as const;

export const sandboxSpec = (plan: Plan, sources: string): ChildSpec => ({
  ...nodeChild,
  name: 'sandbox',
  args: [...flagsFor(sources, 4), join(sources, 'sandbox/main.js')],
  env: { ...inheritedEnvironment(), ...sandboxEnvironment(plan) },
  stopWithinMs: 5_000,
});

/** Workers start before APIs and stop after them, because a pending answer may wait for a workflow. */
export function productSpecs(
  split: boolean,
  env: Record<string, string>,
  { health, workersHealth }: Pick<Plan['ports'], 'health' | 'workersHealth'>,
  sources: string,
): ChildSpec[] {
  const product = (name: string, api: string, workers: string, healthPort: number): ChildSpec => ({
    ...nodeChild,
    name,
    // With 4 MiB, an approval costs a twelfth more CPU.
    args: [...flagsFor(sources, 16), join(sources, 'main.js'), '--api', api, '--workers', workers],
    env: { ...env, HEALTH_PORT: String(healthPort) },
    stopWithinMs: 35_000,
  });
  return split
    ? [product('workers', 'none', 'all', workersHealth), product('api', 'all', 'none', health)]
    : [product('product', 'all', 'all', health)];
}
