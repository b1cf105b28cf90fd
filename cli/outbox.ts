import { Argument, type Command, InvalidArgumentError } from 'commander';
import { outboxServices, type OutboxService, redrive } from '../db/redrive.js';
import { noteAccess } from './note-access.js';
import { withDatabase } from './database.js';

/** `rx outbox`: what a service has to make known (docs/architecture.md). */
export function addOutboxCommand(program: Command): void {
  program
    .command('outbox')
    .description('what a service has to make known')
    .command('redrive')
    .description('send the events of a window of time again, delivered ones too, in their old order')
    .addArgument(new Argument('<service>').choices(outboxServices))
    .requiredOption('--from <time>', 'at this time or later, as 2026-01-31T09:00Z', readTime)
    .option('--to <time>', 'and at this time or earlier; now unless said otherwise', readTime)
    .option('--dead', 'only what was given up, by the time at which it was')
    .action(async (service: OutboxService, { from, to = new Date(), dead = false }: RedriveOptions) => {
      if (from > to) throw new Error('The window ends before it begins.');
      const state = dead ? ('dead' as const) : undefined;
      const count = await withDatabase(async (sql) => {
        await noteAccess(sql, 'event.redrive', null);
        return redrive(sql, service, { from, to, state });
      });
      const what = dead ? `given up by ${service}` : `of ${service}`;
      console.log(`${count} ${what} ${count === 1 ? 'is' : 'are'} sent again.`);
    });
}

interface RedriveOptions {
  from: Date;
  to?: Date;
  dead?: boolean;
}

/** A time without a zone would mean another one on another machine. */
function readTime(text: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('A time with its zone is needed, as 2026-01-31T09:00Z.');
  return time;
}
