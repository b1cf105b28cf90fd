import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { addLinesCommands } from './book-lines.js';
import { callAndPrint } from './call-service.js';
import { ask, askForAll, type Entry, filtered, printList } from './lists.js';
import { dollars, readDay, readInteger } from './values.js';

const path = '/orchestrator/statements';
const call = { service: 'orchestrator', key: 'admin' } as const;
const pathOf = (id: string): string => `${path}/${encodeURIComponent(id)}`;

/** `rx statements`: what pharmacies bill, matched with what they shipped (D133). */
export function addStatementsCommand(program: Command): void {
  const statements = program.command('statements').description('what pharmacies bill');
  statements
    .command('post')
    .description('post the statement of a pharmacy, match it, and print the answer')
    .argument('<pharmacy>')
    .argument('<file>', 'JSON, or CSV with the ending .csv')
    .option('--from <date>', 'the first day; only for CSV', readDay)
    .option('--to <date>', 'the last day; only for CSV', readDay)
    .action((pharmacy: string, file: string, days: object) =>
      callAndPrint({
        ...call,
        method: 'POST',
        path: filtered(path, { pharmacy, ...days }),
        body: readFileSync(file, 'utf8'),
        headers: { 'content-type': /\.csv$/i.test(file) ? 'text/csv' : 'application/json' },
      }),
    );
  statements
    .command('list')
    .description('list statements, the last posted first')
    .option('--pharmacy <pharmacy>')
    .option('--from <date>', 'that cover this day or a later one', readDay)
    .option('--to <date>', 'that cover this day or an earlier one', readDay)
    .option('--json', 'print JSON')
    .action(async ({ json, ...filters }: { json?: true }) =>
      printStatements(await askForAll({ ...call, path: filtered(path, filters) }, 'statements'), json),
    );
  statements
    .command('show <id>')
    .description('show a statement')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: { json?: true }) => {
      const { statement } = await ask<{ statement: Entry }>({ ...call, path: pathOf(id) });
      printStatements([statement], json);
    });
  addLinesCommands(statements, 'id', (id) => `${pathOf(id)}/lines`);
  statements
    .command('remove <id>')
    .description('remove a statement, so that a corrected one can be posted')
    .action((id: string) => callAndPrint({ ...call, method: 'DELETE', path: pathOf(id) }));
}

const printStatements = (statements: readonly Entry[], json?: true): void =>
  printList(
    statements,
    {
      Id: 'id',
      Pharmacy: 'pharmacy',
      From: 'from',
      To: 'to',
      Lines: 'lines',
      Billed: ({ billedCents }) => dollars(billedCents),
      Matched: 'matched',
      Differences: 'differences',
    },
    json,
  );

const pricesPath = '/orchestrator/prices';

/** `rx prices`: the prices of articles at pharmacies (D133). */
export function addPricesCommand(program: Command): void {
  const prices = program.command('prices').description('the prices of articles at pharmacies');
  prices
    .command('list')
    .description('list all prices')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const answer = await ask<{ prices: Entry[] }>({ ...call, path: pricesPath });
      const columns = {
        Pharmacy: 'pharmacy',
        Article: 'article',
        From: 'from',
        Price: ({ cents }: Entry) => dollars(cents),
      };
      printList(answer.prices, columns, json);
    });
  prices
    .command('set')
    .description('set a price from a day on, and print the answer')
    .argument('<pharmacy>')
    .argument('<article>')
    .argument('<cents>', '', readInteger)
    .requiredOption('--from <date>', 'the first day that it holds', readDay)
    .action((pharmacy: string, article: string, cents: number, { from }: { from: string }) =>
      callAndPrint({
        ...call,
        method: 'PUT',
        path: `${pricesPath}/${encodeURIComponent(pharmacy)}/${encodeURIComponent(article)}`,
        body: JSON.stringify({ cents, from }),
      }),
    );
}
