import { type Command, Option } from 'commander';
import { accessActions } from '../domain/access-events.js';
import { askForAll, filtered, printList } from './lists.js';

/** `rx access`: who read or changed what (D88). */
export function addAccessCommand(program: Command): void {
  program
    .command('access')
    .description('list who read or changed whose data, newest first')
    .option('--actor <email|key>', 'an admin by e-mail address, or a key by its id')
    .option('--record <id>', 'id of a patient, submission or task, or of a run that was decoded')
    .addOption(new Option('--action <action>').choices(accessActions))
    .option('--from <time>', 'at this time or later, such as 2026-01-31T09:00Z')
    .option('--to <time>', 'at this time or earlier')
    .option('--json', 'print JSON')
    .action(async ({ json, ...filters }: { json?: true }) => {
      const path = filtered('/v1/access-events', filters);
      printList(
        await askForAll({ service: 'organization', path, asAdmin: true }, 'accessEvents'),
        {
          At: 'at',
          Actor: 'actor',
          Action: 'action',
          Record: 'record',
          Outcome: 'outcome',
          From: ({ ip }) => (ip as string | null) ?? 'the command line',
        },
        json,
      );
    });
}
