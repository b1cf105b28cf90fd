import { type Command, Option } from 'commander';
import { askForAll, filtered, printList } from './lists.js';
import { readSystem, taskLink } from './system.js';

/** `rx runs`: approvals, denials and refills (D85). */
export function addRunsCommand(program: Command): void {
  program
    .command('runs')
    .description('list runs, newest first')
    .addOption(new Option('--status <status>').choices(['pending', 'completed', 'failed', 'denied']))
    .addOption(
      new Option('--warning <warning>').choices(['payment_failed', 'shipment_failed', 'notification_failed']),
    )
    .option('--json', 'print JSON')
    .action(async ({ json, ...filters }: { json?: true }) => {
      const system = readSystem();
      const path = filtered('/orchestrator/runs', filters);
      printList(
        await askForAll({ service: 'orchestrator', path }, 'runs'),
        {
          Started: 'createdAt',
          Task: 'taskId',
          Medication: 'medication',
          Status: 'status',
          'Failed step': 'failedStep',
          'Requested by': 'requestedBy',
          Warnings: 'warnings',
          'Web UI': ({ taskId }) => taskLink(system, String(taskId)),
        },
        json,
      );
    });
}
