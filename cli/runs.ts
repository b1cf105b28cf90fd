import { type Command, Option } from 'commander';
import { askForAll, printList } from './lists.js';
import { taskLink } from './run-link.js';
import { readSystem } from './system.js';

interface Run {
  taskId: string;
  status: string;
  medication: string;
  failedStep: string | null;
  error: string | null;
  warnings: string[];
  requestedBy: string | null;
  createdAt: string;
}

/** `rx runs`: what has been approved, denied and refilled, newest first (D85). */
export function addRunsCommand(program: Command): void {
  program
    .command('runs')
    .description('list runs, newest first')
    .addOption(new Option('--status <status>').choices(['pending', 'completed', 'failed', 'denied']))
    .addOption(
      new Option('--warning <warning>').choices(['payment_failed', 'shipment_failed', 'notification_failed']),
    )
    .option('--json', 'print JSON')
    .action(async ({ json, ...filter }: { json?: true; status?: string; warning?: string }) => {
      const query = new URLSearchParams(filter);
      const path = `/orchestrator/runs${query.size > 0 ? `?${query.toString()}` : ''}`;
      const runs = await askForAll<Run>({ service: 'orchestrator', method: 'GET', path }, 'runs');
      const system = readSystem();
      printList(
        runs,
        {
          Started: ({ createdAt }) => createdAt,
          Task: ({ taskId }) => taskId,
          Medication: ({ medication }) => medication,
          Status: ({ status }) => status,
          'Failed step': ({ failedStep }) => failedStep ?? '',
          'Requested by': ({ requestedBy }) => requestedBy ?? '',
          Warnings: ({ warnings }) => warnings.join('\n'),
          'Web UI': ({ taskId }) => taskLink(system, taskId),
        },
        json,
      );
    });
}
