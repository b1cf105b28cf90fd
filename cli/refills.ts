import { type Command, Option } from 'commander';
import { scheduleStatuses } from '../domain/orchestrator/refills.js';
import { ask, askForAll, filtered, printList } from './lists.js';

const path = '/orchestrator/refill-schedules';
const service = 'orchestrator';

/** `rx refills`: refill schedules (D40). */
export function addRefillsCommand(program: Command): void {
  const refills = program.command('refills').description('refill schedules');
  refills
    .command('list')
    .description('list schedules, newest first')
    .addOption(new Option('--status <status>').choices(scheduleStatuses))
    .option('--json', 'print JSON')
    .action(async ({ json, ...filters }: { json?: true }) =>
      printList(
        await askForAll({ service, path: filtered(path, filters) }, 'schedules'),
        {
          Schedule: 'id',
          Medication: 'medication',
          Status: 'status',
          Sent: ({ refillsSent, totalRefillsAllowed }) =>
            `${String(refillsSent)} of ${String(totalRefillsAllowed)}`,
          'Next fill': 'nextFillDate',
        },
        json,
      ),
    );
  for (const operation of ['pause', 'resume', 'cancel']) {
    refills
      .command(`${operation} <id>`)
      .description(`${operation} a schedule`)
      .action(async (id: string) => {
        const { schedule } = await ask<{ schedule: { id: string; status: string; nextFillDate: string } }>({
          service,
          method: 'POST',
          path: `${path}/${encodeURIComponent(id)}/${operation}`,
        });
        console.log(`${schedule.id} is ${schedule.status}; the next fill is on ${schedule.nextFillDate}.`);
      });
  }
}
