import { setTimeout as pause } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BulkRetryProgress } from '../domain/orchestrator/bulk-retry.js';
import { pipelineSteps } from '../domain/orchestrator/pipeline.js';
import { ask } from './lists.js';

interface Selected {
  selected: number;
  taskIds: string[];
  recoveryId: string | null;
}
interface Options {
  step: string;
  since: number;
  error?: string;
  perMinute: number;
  dryRun?: true;
}

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `2h` in milliseconds. */
function readDuration(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = Number(amount) * (unitMs[unit] ?? 0);
  if (ms === 0) throw new InvalidArgumentError('A duration is a number and m, h or d, such as 2h.');
  return ms;
}

const operators = { service: 'orchestrator', key: 'admin' } as const;

/** `rx recover`: tries again what failed at a step (D112), and shows how it goes. Ended, it goes on without being shown. */
export function addRecoverCommand(program: Command): void {
  program
    .command('recover')
    .description('try again what failed at a step; nothing is ordered or charged twice')
    .addOption(new Option('--step <step>').choices(pipelineSteps).makeOptionMandatory())
    .requiredOption('--since <duration>', 'how long ago it failed at most: 30m, 2h, 1d', readDuration)
    .option('--error <text>', 'a part of the text of what failed')
    .option('--per-minute <n>', 'how many are begun in a minute', Number, 60)
    .option('--dry-run', 'only say what would be tried again')
    .action(async ({ step, since, error, perMinute, dryRun }: Options) => {
      const to = Date.now();
      const body = {
        step,
        from: new Date(to - since).toISOString(),
        to: new Date(to).toISOString(),
        ...(error === undefined ? {} : { error }),
        perMinute,
        dryRun: dryRun ?? false,
      };
      const path = '/orchestrator/recoveries';
      const { selected, taskIds, recoveryId } = await ask<Selected>({
        ...operators,
        method: 'POST',
        path,
        body: JSON.stringify(body),
      });
      console.log(
        `${selected} failed at ${step} and ${recoveryId === null ? 'would be' : 'are'} tried again.`,
      );
      for (const taskId of taskIds) console.log(`  ${taskId}`);
      if (recoveryId !== null) await watch(`${path}/${recoveryId}`);
    });
}

async function watch(path: string): Promise<void> {
  console.log(`The recovery: rx call orchestrator GET ${path} --key admin`);
  for (;;) {
    const recovery = await ask<BulkRetryProgress>({ ...operators, method: 'GET', path });
    const { state, selected, done, succeeded, failed, skipped } = recovery;
    if (state !== 'running') {
      console.log(
        `${state}: ${done} of ${selected}; ${succeeded} succeeded, ${failed} failed, ${skipped} skipped.`,
      );
      if (failed > 0) process.exitCode = 1;
      return;
    }
    await pause(1_000);
  }
}
