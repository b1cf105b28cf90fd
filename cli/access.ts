import { type Command, Option } from 'commander';
import { type AccessAction, type AccessEvent, accessActions } from '../domain/access-events.js';
import { bearer } from './admin.js';
import { askForAll, printList } from './lists.js';

type Listed = AccessEvent & { at: string };

interface Filter {
  actor?: string;
  record?: string;
  action?: AccessAction;
  from?: string;
  to?: string;
}

/** `rx access`: who read or changed what (D88). */
export function addAccessCommand(program: Command): void {
  program
    .command('access')
    .description('who read or changed whose data, newest first')
    .option('--actor <email|key>', 'an admin by e-mail address, or a key by its id')
    .option('--record <id>', 'a patient, a submission, a task, a run that was decoded')
    .addOption(new Option('--action <action>').choices(accessActions))
    .option('--from <time>', 'at this time or later, as 2026-01-31T09:00Z')
    .option('--to <time>', 'at this time or earlier')
    .option('--json', 'print JSON')
    .action(async ({ json, ...filter }: Filter & { json?: true }) => {
      const query = new URLSearchParams({ ...filter });
      const path = `/v1/access-events${query.size > 0 ? `?${query.toString()}` : ''}`;
      const call = { service: 'organization', method: 'GET', path, headers: await bearer() } as const;
      printList(
        await askForAll<Listed>(call, 'accessEvents'),
        {
          At: ({ at }) => at,
          Actor: ({ actor }) => actor,
          Action: ({ action }) => action,
          Record: ({ record }) => record ?? '',
          Outcome: ({ outcome }) => outcome,
          From: ({ ip }) => ip ?? 'the command line',
        },
        json,
      );
    });
}
