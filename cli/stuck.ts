import type { Command } from 'commander';
import { bearer } from './admin.js';
import { ask, printList } from './lists.js';

interface StuckRun {
  workflowId: string;
  step: string;
  since: string;
  nextTryAt: string | null;
  pharmacy: string | null;
}

/** `rx stuck`: runs whose step has been tried in vain for over five minutes (D109). */
export function addStuckCommand(program: Command): void {
  program
    .command('stuck')
    .description('what has been tried in vain for over five minutes; empties by itself')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const call = { service: 'worklist', method: 'GET', path: '/v1/stuck-runs' } as const;
      const { stuckRuns, total } = await ask<{ stuckRuns: StuckRun[]; total: number }>({
        ...call,
        headers: await bearer(),
      });
      printList(
        stuckRuns,
        {
          Run: ({ workflowId }) => workflowId,
          Step: ({ step }) => step,
          Since: ({ since }) => since,
          'Next try': ({ nextTryAt }) => nextTryAt ?? 'now',
          Pharmacy: ({ pharmacy }) => pharmacy ?? '',
        },
        json,
      );
      if (total > stuckRuns.length)
        console.error(`${total} in all; in the Web UI, RxStuck is not null has the others.`);
    });
}
