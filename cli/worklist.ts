import { type Command, Option } from 'commander';
import { workItemKinds } from '../domain/work-items.js';
import { callAndPrint } from './call-service.js';
import { askForAll, filtered, printList } from './lists.js';
import { readJson } from './values.js';

/** `rx worklist`: lists and answers work items (D109). */
export function addWorklistCommand(program: Command): void {
  const worklist = program
    .command('worklist')
    .description('list work items by due time')
    .addOption(new Option('--state <state>').choices(['open', 'snoozed', 'closed']).default('open'))
    .addOption(new Option('--kind <kind>').choices(Object.keys(workItemKinds)))
    .option('--task-id <id>', 'only items of this task')
    .option('--overdue', 'only items past their due time')
    .option('--json', 'print JSON')
    .action(async ({ json, ...filters }: { json?: true }) =>
      printList(
        await askForAll(
          { service: 'worklist', path: filtered('/v1/work-items', filters), asAdmin: true },
          'workItems',
        ),
        {
          Item: 'id',
          Kind: ({ kind, reason }) => `${String(kind)}\n${String(reason)}`,
          Due: 'dueAt',
          About: ({ references }) =>
            Object.entries(references as Record<string, string>)
              .map(([name, id]) => `${name} ${id}`)
              .join('\n'),
          Answers: 'answers',
        },
        json,
      ),
    );

  worklist
    .command('answer <id> <answer>')
    .description('answer an open item; the service that opened it acts on the answer')
    .option('--note <text>', 'kept in the history of the item')
    .option('--data <json>', 'data of the answer, such as {"pharmacy":"pharmacy_b"}', readJson)
    .action((id: string, answer: string, { note, data }: { note?: string; data?: unknown }) =>
      callAndPrint({
        service: 'worklist',
        method: 'POST',
        path: `/v1/work-items/${encodeURIComponent(id)}/answer`,
        body: JSON.stringify({ answer, note, data }),
        asAdmin: true,
      }),
    );
}
