import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inheritedEnvironment, type Plan, sandboxEnvironment } from './environment.js';
import type { ChildSpec } from './supervisor.js';

/** Tight heaps: left to itself Node keeps hundreds of megabytes of slack that nobody needs here. */
const flagsFor = (sources: string): string[] => [
  '--max-old-space-size=512',
  '--max-semi-space-size=4',
  `--import=${pathToFileURL(join(sources, 'dev/stack-traces.js')).href}`,
];

const nodeChild = { command: process.execPath, ready: 'message', stopSignal: 'SIGTERM' } as const;

/** @param sources the folder of `compiledSources` */
export const sandboxSpec = (plan: Plan, sources: string): ChildSpec => ({
  ...nodeChild,
  name: 'sandbox',
  args: [...flagsFor(sources), join(sources, 'sandbox/main.js')],
  env: { ...inheritedEnvironment(), ...sandboxEnvironment(plan) },
  stopWithinMs: 5_000,
});

/** Workers come before APIs and so stop after them: an answer under way may wait for a workflow. */
export function productSpecs(
  split: boolean,
  env: Record<string, string>,
  { health, workersHealth }: Pick<Plan['ports'], 'health' | 'workersHealth'>,
  sources: string,
): ChildSpec[] {
  const product = (name: string, api: string, workers: string, healthPort: number): ChildSpec => ({
    ...nodeChild,
    name,
    args: [...flagsFor(sources), join(sources, 'main.js'), '--api', api, '--workers', workers],
    env: { ...env, HEALTH_PORT: String(healthPort) },
    stopWithinMs: 35_000,
  });
  return split
    ? [product('workers', 'none', 'all', workersHealth), product('api', 'all', 'none', health)]
    : [product('product', 'all', 'all', health)];
}
