import { type Command, InvalidArgumentError, Option } from 'commander';
import { type WorkItemKind, workItemKinds } from '../domain/work-items.js';
import { bearer } from './admin.js';
import { callService, pretty } from './call-service.js';
import { askForAll, printList } from './lists.js';
import { readSystem } from './system.js';

interface Item {
  id: string;
  kind: string;
  reason: string;
  title: string;
  state: string;
  references: Record<string, string>;
  answers: string[];
  dueAt: string;
}

interface Filter {
  state: string;
  kind?: string;
  taskId?: string;
  overdue?: true;
}

/** `rx worklist`: what waits for a person, and answering it (D109). */
export function addWorklistCommand(program: Command): void {
  const worklist = program
    .command('worklist')
    .description('what waits for a person, by when it is due')
    .addOption(new Option('--state <state>').choices(['open', 'snoozed', 'closed']).default('open'))
    .addOption(new Option('--kind <kind>').choices(Object.keys(workItemKinds) as WorkItemKind[]))
    .option('--task-id <id>', 'of one task')
    .option('--overdue', 'only what should have been answered by now')
    .option('--json', 'print JSON')
    .action(async ({ json, overdue, ...filter }: Filter & { json?: true }) => {
      const query = new URLSearchParams({ ...filter, ...(overdue ? { overdue: 'true' } : {}) });
      const path = `/v1/work-items?${query.toString()}`;
      const call = { service: 'worklist', method: 'GET', path, headers: await bearer() } as const;
      printList(
        await askForAll<Item>(call, 'workItems'),
        {
          Item: ({ id }) => id,
          Kind: ({ kind, reason }) => `${kind}\n${reason}`,
          Due: ({ dueAt }) => dueAt,
          About: ({ references }) =>
            Object.entries(references)
              .map(([name, id]) => `${name} ${id}`)
              .join('\n'),
          Answers: ({ answers }) => answers.join('\n'),
        },
        json,
      );
    });

  worklist
    .command('answer <id> <answer>')
    .description('answer an open item; the service whose item it is does what the answer says')
    .option('--note <text>', 'stands in its history')
    .option('--data <json>', 'what the answer needs, as {"pharmacy":"pharmacy_b"}', readJson)
    .action(async (id: string, answer: string, { note, data }: { note?: string; data?: unknown }) => {
      const { status, body } = await callService(readSystem(), {
        service: 'worklist',
        method: 'POST',
        path: `/v1/work-items/${encodeURIComponent(id)}/answer`,
        body: JSON.stringify({ answer, note, data }),
        headers: await bearer(),
      });
      console.log(status);
      console.log(pretty(body));
      if (status >= 400) process.exitCode = 1;
    });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidArgumentError('JSON is needed.');
  }
}
