import type { Command } from 'commander';
import { ask, type Entry, printList } from './lists.js';

/** `rx stuck`: runs whose step has failed for over five minutes (D109). */
export function addStuckCommand(program: Command): void {
  program
    .command('stuck')
    .description('list runs that have retried a step for over five minutes')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const { stuckRuns, total } = await ask<{ stuckRuns: Entry[]; total: number }>({
        service: 'worklist',
        path: '/v1/stuck-runs',
        asAdmin: true,
      });
      printList(
        stuckRuns,
        {
          Run: 'workflowId',
          Step: 'step',
          Since: 'since',
          'Next attempt': ({ nextTryAt }) => (nextTryAt as string | null) ?? 'now',
          Pharmacy: 'pharmacy',
        },
        json,
      );
      if (total > stuckRuns.length)
        console.error(`${total} in all; search for RxStuck is not null in the Web UI to see the others.`);
    });
}
