import { type Command, Option } from 'commander';
import { retryStatuses } from '../domain/intake/intake.js';
import { pretty } from './call-service.js';
import { ask, askForAll, filtered, printList } from './lists.js';

const path = '/admin/intake-retries';
const intake = { service: 'intake', asAdmin: true } as const;

/** `rx intake-retries` and `rx intake-submissions`: intakes whose EMR patient could not be created at once (D63). */
export function addIntakeCommands(program: Command): void {
  const retries = program.command('intake-retries').description('retries to create EMR patients for intakes');
  retries
    .command('list')
    .description('list entries, newest first')
    .addOption(new Option('--status <status>').choices(retryStatuses))
    .option('--json', 'print JSON')
    .action(async ({ json, ...filters }: { json?: true }) =>
      printList(
        await askForAll({ ...intake, path: filtered(path, filters) }, 'retries'),
        {
          Retry: 'id',
          Submission: 'submission_id',
          Status: 'status',
          Attempts: ({ attempts }) => `${String(attempts)} of 3`,
          'Last error': 'last_error',
          Next: 'next_retry_at',
        },
        json,
      ),
    );
  retries
    .command('reset <id>')
    .description('retry a failed entry from the start')
    .action(async (id: string) => {
      const { retry } = await ask<{ retry: { id: string; status: string; submission_id: string } }>({
        ...intake,
        method: 'POST',
        path: `${path}/${encodeURIComponent(id)}/reset`,
      });
      console.log(`${retry.id} is ${retry.status}; submission ${retry.submission_id} is retried now.`);
    });

  program
    .command('intake-submissions')
    .description('submitted intakes')
    .command('show <id>')
    .description('print a submission as stored')
    .action(async (id: string) => {
      const { submission } = await ask<{ submission: unknown }>({
        ...intake,
        path: `/admin/intake-submissions/${encodeURIComponent(id)}`,
      });
      console.log(pretty(submission));
    });
}
