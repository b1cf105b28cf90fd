import { type Command, Option } from 'commander';
import { lineStates } from '../domain/orchestrator/daily-close.js';
import { callAndPrint } from './call-service.js';
import { ask, askForAll, type Entry, filtered, printList } from './lists.js';

const call = { service: 'orchestrator', key: 'admin' } as const;

/** Adds `lines` and `settle`, which closes and statements have alike (D132). @param pathOf the lines of one of them */
export function addLinesCommands(parent: Command, id: string, pathOf: (id: string) => string): void {
  parent
    .command('lines')
    .description('list the lines')
    .argument(`<${id}>`)
    .addOption(new Option('--state <state>').choices(lineStates))
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON')
    .action(async (of: string, { csv, json, ...filters }: { csv?: true; json?: true }) => {
      const path = filtered(pathOf(of), filters);
      if (csv) process.stdout.write(await ask<string>({ ...call, path, headers: { accept: 'text/csv' } }));
      else printLines(await askForAll({ ...call, path }, 'lines'), json);
    });
  parent
    .command('settle')
    .description('look at a line again (recheck), or settle it by word (accept), and print the answer')
    .argument(`<${id}>`)
    .argument('<line>', 'the id of the line')
    .argument('<answer>', 'recheck or accept')
    .option('--note <text>', 'why')
    .action((of: string, line: string, answer: string, { note }: { note?: string }) =>
      callAndPrint({
        ...call,
        method: 'POST',
        path: `${pathOf(of)}/${encodeURIComponent(line)}/settle`,
        body: JSON.stringify({ answer, note }),
      }),
    );
}

const facts = (value: unknown): string =>
  Object.entries(value ?? {})
    .map(([name, fact]) => `${name} ${String(fact)}`)
    .join('\n');

const printLines = (lines: readonly Entry[], json?: true): void =>
  printList(
    lines,
    {
      Line: 'id',
      Reference: 'reference',
      State: ({ state, settled }) => (settled ? 'settled' : String(state)),
      Kind: ({ kind, because }) => [kind, because].filter(Boolean).join(', '),
      Ours: ({ ours }) => facts(ours),
      Theirs: ({ theirs }) => facts(theirs),
    },
    json,
  );
