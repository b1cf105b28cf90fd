import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { type ClientEvent, Orchestrator } from '../clients/typescript/src/index.js';
import { keyOf } from './call-service.js';
import { printList } from './lists.js';
import { readSystem } from './system.js';

export interface EventFilter {
  key?: string;
  after: string;
  types?: string;
  task?: string;
}

/** The options that choose events, for each command that reads them. */
export const withEventFilter = (command: Command, after: string): Command =>
  command
    .option('--after <sequence>', 'events after this one; latest waits for new ones', readSequence, after)
    .option('--types <list>', 'only these, such as order.*,refill.sent')
    .option('--task <taskId>', 'only events of this task');

function readSequence(text: string): string {
  if (text !== 'latest' && !/^\d{1,15}$/.test(text))
    throw new InvalidArgumentError('Give a sequence, 0 or latest.');
  return text;
}

/** `rx events`: what became of a client's tasks (D129). */
export function addEventsCommand(program: Command): void {
  const events = program
    .command('events')
    .description('list the events of tasks, oldest first')
    .option('--key <name>', 'the API key whose client asked for the tasks', 'approvals')
    .option('--follow', 'print new events as they come, one line each, until Ctrl-C')
    .option('--json', 'print JSON');
  withEventFilter(events, '0').action(
    async ({ follow, json, ...filter }: EventFilter & { follow?: true; json?: true }) => {
      if (follow) {
        // Without a reader such as `head`, nobody would end it.
        process.stdout.once('error', () => process.exit());
        for await (const page of pagesOfEvents(filter))
          for (const event of page.events) console.log(json ? JSON.stringify(event) : lineOf(event));
        return;
      }
      const all: ClientEvent[] = [];
      for await (const page of pagesOfEvents(filter)) {
        all.push(...page.events);
        if (page.isLast) break;
      }
      printList(
        all,
        { Sequence: 'sequence', At: 'at', Type: 'type', Task: 'taskId', Plan: 'planId', Data: 'data' },
        json,
      );
    },
  );
}

const lineOf = ({ sequence, at, type, taskId, planId, data }: ClientEvent): string =>
  [sequence, at, type, taskId ?? planId, JSON.stringify(data)].join('  ');

const pauseMs = 1_000;

/**
 * Reads events page by page without end, and waits a second at the newest.
 * @throws Refusal, such as 400 for an unknown type
 */
export async function* pagesOfEvents({
  key = 'approvals',
  after,
  types,
  task,
}: EventFilter): AsyncGenerator<{ events: ClientEvent[]; nextAfter: number; isLast: boolean }, void> {
  const system = readSystem();
  const baseUrl = system.services.orchestrator;
  if (baseUrl === undefined)
    throw new Error("The address of orchestrator is not in the system's description.");
  const orchestrator = new Orchestrator({ baseUrl, key: keyOf(system, key) });
  const filter = { ...(types !== undefined && { types }), ...(task !== undefined && { taskId: task }) };
  for (let from = after; ;) {
    const query = { ...filter, after: from, limit: 100 };
    const { events, nextAfter } = (await orchestrator.call('GET', '/orchestrator/events', { query })).body;
    const isLast = events.length === 0 && String(nextAfter) === from;
    yield { events, nextAfter, isLast };
    from = String(nextAfter);
    if (isLast) await sleep(pauseMs);
  }
}
