import { type Command, Option } from 'commander';
import { pretty } from './call-service.js';
import { submissionKey } from './callbacks.js';
import { ask, type Entry, printList } from './lists.js';
import { readJson } from './values.js';

const pathOf = (submissionId: string): string => `/rx/prescriptions/${encodeURIComponent(submissionId)}`;

/** `rx holds`: questions of the pharmacy about an order, and answers to them (D100). */
export function addHoldsCommand(program: Command): void {
  const holds = program.command('holds').description('questions of the pharmacy about a submission');
  holds
    .command('list <submissionId>')
    .description('list holds, oldest first')
    .option(...submissionKey)
    .option('--json', 'print JSON')
    .action(async (submissionId: string, { key, json }: { key: string; json?: true }) => {
      const call = { service: 'router', key, path: pathOf(submissionId) } as const;
      const record = await ask<{ holds: Entry[] }>(call);
      printList(
        record.holds,
        {
          Hold: 'id',
          Code: 'code',
          Message: 'message',
          Until: 'until',
          State: 'state',
          Answer: 'answer',
          Opened: 'openedAt',
        },
        json,
      );
    });
  holds
    .command('answer <submissionId> <holdId>')
    .description('answer a hold and print its record')
    .addOption(new Option('--answer <word>').choices(['proceed', 'change', 'decline']).makeOptionMandatory())
    .option('--text <text>', 'message to the pharmacy')
    .option('--changes <json>', 'with change: {sig?, quantity?, daysSupply?, shipTo?, onceOnly?}', readJson)
    .option(...submissionKey)
    .action(
      async (submissionId: string, holdId: string, { key, ...answer }: { key: string; answer: string }) => {
        const path = `${pathOf(submissionId)}/holds/${encodeURIComponent(holdId)}/answer`;
        const body = JSON.stringify(answer);
        console.log(pretty(await ask({ service: 'router', key, method: 'POST', path, body })));
      },
    );
}
