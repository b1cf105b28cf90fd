import { type Command, Option } from 'commander';
import { retryStatuses } from '../domain/intake/intake.js';
import { bearer } from './admin.js';
import { pretty } from './call-service.js';
import { ask, askForAll, printList } from './lists.js';

interface Retry {
  id: string;
  submission_id: string;
  status: string;
  attempts: number;
  last_error: string | null;
  next_retry_at: string | null;
}

const path = '/admin/intake-retries';

/** `rx intake-retries` and `rx intake-submissions`: intakes whose EMR patient was not made at once (D63). */
export function addIntakeCommands(program: Command): void {
  const retries = program.command('intake-retries').description('EMR patients still to be made for intakes');
  retries
    .command('list')
    .description('all entries, newest first')
    .addOption(new Option('--status <status>').choices(retryStatuses))
    .option('--json', 'print JSON')
    .action(async ({ status, json }: { status?: string; json?: true }) => {
      const filtered = status === undefined ? path : `${path}?status=${status}`;
      const call = { service: 'intake', method: 'GET', path: filtered, headers: await bearer() } as const;
      printList(
        await askForAll<Retry>(call, 'retries'),
        {
          Retry: ({ id }) => id,
          Submission: ({ submission_id }) => submission_id,
          Status: ({ status }) => status,
          Attempts: ({ attempts }) => `${attempts} of 3`,
          'Last error': ({ last_error }) => last_error ?? '',
          Next: ({ next_retry_at }) => next_retry_at ?? '',
        },
        json,
      );
    });
  retries
    .command('reset <id>')
    .description('start again with an entry that has failed')
    .action(async (id: string) => {
      const { retry } = await ask<{ retry: Retry }>({
        service: 'intake',
        method: 'POST',
        path: `${path}/${encodeURIComponent(id)}/reset`,
        headers: await bearer(),
      });
      console.log(
        `${retry.id} is ${retry.status}; submission ${retry.submission_id} is tried again at once.`,
      );
    });

  program
    .command('intake-submissions')
    .description('intakes handed in')
    .command('show <id>')
    .description('one submission as it is stored')
    .action(async (id: string) => {
      const { submission } = await ask<{ submission: unknown }>({
        service: 'intake',
        method: 'GET',
        path: `/admin/intake-submissions/${encodeURIComponent(id)}`,
        headers: await bearer(),
      });
      console.log(pretty(submission));
    });
}
