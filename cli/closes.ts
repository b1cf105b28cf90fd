import type { Command } from 'commander';
import { addDays } from '../domain/calendar.js';
import { businessDay } from '../platform/business-day.js';
import { addLinesCommands } from './book-lines.js';
import { callAndPrint } from './call-service.js';
import { ask, askForAll, type Entry, filtered, printList } from './lists.js';
import { dollars, readDay } from './values.js';

const path = '/orchestrator/closes';
const call = { service: 'orchestrator', key: 'admin' } as const;

/** `rx close`: closes a day, shows what differs and settles it (D131, D132). */
export function addCloseCommand(program: Command): void {
  const close = program
    .command('close')
    .description('match a day with the books of the processor and the shipping service, and print the answer')
    .argument('[date]', 'the day; yesterday in BUSINESS_TIMEZONE, else in UTC, if omitted', readDay)
    .action((date: string | undefined) => {
      const yesterday = addDays(businessDay(process.env['BUSINESS_TIMEZONE'] ?? 'UTC'), -1);
      return callAndPrint({
        ...call,
        method: 'POST',
        path,
        body: JSON.stringify({ date: date ?? yesterday }),
      });
    });
  close
    .command('list')
    .description('list closes, newest first')
    .option('--from <date>', 'not before this day', readDay)
    .option('--to <date>', 'not after this day', readDay)
    .option('--json', 'print JSON')
    .action(async ({ json, ...filters }: { json?: true }) =>
      printCloses(await askForAll({ ...call, path: filtered(path, filters) }, 'closes'), json),
    );
  close
    .command('show')
    .description('show the close of a day')
    .argument('<date>', '', readDay)
    .option('--json', 'print JSON')
    .action(async (date: string, { json }: { json?: true }) => {
      printCloses([(await ask<{ close: Entry }>({ ...call, path: `${path}/${date}` })).close], json);
    });
  addLinesCommands(close, 'date', (date) => `${path}/${encodeURIComponent(date)}/lines`);
}

const totalsOf = ({ totals }: Entry) => totals as Record<string, number>;

const printCloses = (closes: readonly Entry[], json?: true): void =>
  printList(
    closes,
    {
      Day: 'date',
      State: 'state',
      Orders: (close) => String(totalsOf(close)['orders']),
      Charged: (close) => dollars(totalsOf(close)['chargedCents']),
      Refunded: (close) => dollars(totalsOf(close)['refundedCents']),
      Labels: (close) => String(totalsOf(close)['labels']),
      Matched: 'matched',
      Explained: 'explained',
      Differences: 'differences',
      Settled: 'settled',
    },
    json,
  );
