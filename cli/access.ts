import { type Command, Option } from 'commander';
import { accessActions } from '../domain/access-events.js';
import { verifyAccessDays } from '../db/access/access-days.js';
import { withDatabase } from './database.js';
import { askForAll, filtered, printList } from './lists.js';

/** `rx access`: who read or changed what (D88). */
export function addAccessCommand(program: Command): void {
  const access = program
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
          'On behalf of': ({ onBehalfOf }) => (onBehalfOf as string | undefined) ?? '',
          Outcome: 'outcome',
          From: ({ ip }) => (ip as string | null) ?? 'the command line',
        },
        json,
      );
    });
  access
    .command('verify')
    .description('compute the hash of every closed day again, and compare (needs the database of the owner)')
    .action(async () => {
      const { days, changed } = await withDatabase(verifyAccessDays);
      for (const day of changed) console.log(`${day} is not as it was closed.`);
      if (changed.length > 0) throw new Error(`${changed.length} of ${days} days differ.`);
      console.log(`${days} days are as they were closed.`);
    });
}
