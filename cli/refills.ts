import { type Command, Option } from 'commander';
import { readInteger, readJson } from './values.js';
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
      .action((id: string) => change('POST', `/${encodeURIComponent(id)}/${operation}`));
  }
  refills
    .command('skip <id>')
    .description('skip the next refill of a schedule')
    .option('--reason <text>', 'kept with the schedule')
    .action((id: string, body: { reason?: string }) =>
      change('POST', `/${encodeURIComponent(id)}/skip`, body),
    );
  refills
    .command('move <id> <day>')
    .description('move the next refill of a schedule, YYYY-MM-DD')
    .action((id: string, nextFillDate: string) =>
      change('POST', `/${encodeURIComponent(id)}/move`, { nextFillDate }),
    );
  refills
    .command('ship-to <id> [address]')
    .description(
      'send the next refills to {addressLine1, addressLine2?, city, state, zip}; without it to the EMR’s address',
    )
    .option('--fills <count>', 'how many of the next refills (1)', readInteger)
    .action((id: string, address: string | undefined, body: { fills?: number }) =>
      change('POST', `/${encodeURIComponent(id)}/ship-to`, {
        shipTo: address === undefined ? null : readJson(address),
        ...body,
      }),
    );
  refills
    .command('change <id>')
    .description('change the directions of all refills to come')
    .option('--dosage <text>', 'directions to the patient')
    .option('--quantity <number>', 'in the unit of the medication', Number)
    .option('--days-supply <days>', 'how long a refill lasts', readInteger)
    .action((id: string, body: object) => change('PATCH', `/${encodeURIComponent(id)}`, body));
}

async function change(method: 'POST' | 'PATCH', suffix: string, body?: object): Promise<void> {
  const { schedule } = await ask<{ schedule: { id: string; status: string; nextFillDate: string } }>({
    service,
    method,
    path: path + suffix,
    ...(body && { body: JSON.stringify(body) }),
  });
  console.log(`${schedule.id} is ${schedule.status}; the next fill is on ${schedule.nextFillDate}.`);
}
