import { setTimeout as pause } from 'node:timers/promises';
import type { DevJson } from '../../dev/dev-json.js';
import { silent } from '../../dev/progress.js';
import { resolveTemporalCli } from '../../dev/tools/temporal-cli.js';
import { projectRoot } from '../../dev/project-root.js';
import { inheritedEnvironment } from '../../dev/start/environment.js';
import { run } from '../../dev/tools/run.js';

export const deploymentName = 'scriptrail';

/** A new version needs a moment until the server knows all its queues. */
const knownWithinMs = 120_000;
const pauseMs = 2_000;

/** Runs the commands of `docs/upgrading.md`, "With worker versions". */
export const routingOf = (dev: DevJson) => ({
  setCurrent: (buildId: string) => deployment(dev, 'set-current-version', '--build-id', buildId),
  ramp: (buildId: string, percentage: number) =>
    deployment(dev, 'set-ramping-version', '--build-id', buildId, '--percentage', String(percentage)),
  rollBack: (buildId: string) => deployment(dev, 'set-ramping-version', '--build-id', buildId, '--delete'),
});

async function deployment({ temporal }: DevJson, command: string, ...args: string[]): Promise<void> {
  const cli = await resolveTemporalCli(silent);
  const where = ['--address', temporal.address, '--namespace', temporal.namespace];
  const all = [
    'worker',
    'deployment',
    command,
    ...where,
    '--deployment-name',
    deploymentName,
    ...args,
    '--yes',
  ];
  const giveUpAt = Date.now() + knownWithinMs;
  for (;;) {
    try {
      await run(cli, all, { cwd: projectRoot, env: inheritedEnvironment() });
      return;
    } catch (error) {
      if (Date.now() >= giveUpAt) throw error;
      await pause(pauseMs);
    }
  }
}
