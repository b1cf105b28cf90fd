import { type Command, Option } from 'commander';
import { scheduleStatuses } from '../domain/orchestrator/refills.js';
import { ask, askForAll, printList } from './lists.js';

interface Schedule {
  id: string;
  medication: string;
  status: string;
  refillsSent: number;
  totalRefillsAllowed: number;
  nextFillDate: string;
}

const path = '/orchestrator/refill-schedules';

/** `rx refills`: the schedules of coming refills (D40). */
export function addRefillsCommand(program: Command): void {
  const refills = program.command('refills').description('refill schedules');
  refills
    .command('list')
    .description('all schedules, newest first')
    .addOption(new Option('--status <status>').choices(scheduleStatuses))
    .option('--json', 'print JSON')
    .action(async ({ status, json }: { status?: string; json?: true }) => {
      const filtered = status === undefined ? path : `${path}?status=${status}`;
      const call = { service: 'orchestrator', method: 'GET', path: filtered } as const;
      printList(
        await askForAll<Schedule>(call, 'schedules'),
        {
          Schedule: ({ id }) => id,
          Medication: ({ medication }) => medication,
          Status: ({ status }) => status,
          Sent: ({ refillsSent, totalRefillsAllowed }) => `${refillsSent} of ${totalRefillsAllowed}`,
          'Next fill': ({ nextFillDate }) => nextFillDate,
        },
        json,
      );
    });
  for (const operation of ['pause', 'resume', 'cancel']) {
    refills
      .command(`${operation} <id>`)
      .description(`${operation} a schedule`)
      .action(async (id: string) => {
        const call = { service: 'orchestrator', method: 'POST' } as const;
        const { schedule } = await ask<{ schedule: Schedule }>({
          ...call,
          path: `${path}/${encodeURIComponent(id)}/${operation}`,
        });
        console.log(`${schedule.id} is ${schedule.status}; the next fill is on ${schedule.nextFillDate}.`);
      });
  }
}
