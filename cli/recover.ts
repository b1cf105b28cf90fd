import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { BulkRetryProgress } from '../domain/orchestrator/bulk-retry.js';
import { pipelineSteps } from '../domain/orchestrator/pipeline.js';
import { ask } from './lists.js';
import { readSeconds } from './values.js';

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
  dryRun?: boolean;
}

const path = '/orchestrator/recoveries';
const operators = { service: 'orchestrator', key: 'admin' } as const;

/** `rx recover`: a bulk retry of runs that failed at a step (D112). It continues if the command is interrupted. */
export function addRecoverCommand(program: Command): void {
  program
    .command('recover')
    .description(
      'retry the runs that failed at a step and show progress; nothing is ordered or charged twice',
    )
    .addOption(new Option('--step <step>').choices(pipelineSteps).makeOptionMandatory())
    .requiredOption('--since <duration>', 'only failures of this period, such as 30m, 2h or 1d', readSeconds)
    .option('--error <text>', 'only failures whose error contains this text')
    .option('--per-minute <n>', 'retries to start per minute', Number, 60)
    .option('--dry-run', 'only list what would be retried')
    .action(async ({ since, dryRun = false, ...selection }: Options) => {
      const to = Date.now();
      const from = new Date(to - since * 1_000).toISOString();
      const { selected, taskIds, recoveryId } = await ask<Selected>({
        ...operators,
        method: 'POST',
        path,
        body: JSON.stringify({ ...selection, from, to: new Date(to).toISOString(), dryRun }),
      });
      const tense = recoveryId === null ? 'would be' : 'are';
      console.log(`${selected} failed at ${selection.step} and ${tense} retried.`);
      for (const taskId of taskIds) console.log(`  ${taskId}`);
      if (recoveryId !== null) await watch(`${path}/${recoveryId}`);
    });
}

async function watch(path: string): Promise<void> {
  console.log(`Show its progress later: rx call orchestrator GET ${path} --key admin`);
  for (;;) {
    const recovery = await ask<BulkRetryProgress>({ ...operators, path });
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
