import { Argument, type Command, InvalidArgumentError } from 'commander';
import { outboxServices, type OutboxService, redrive } from '../db/redrive.js';

import { noteAccess, withDatabase } from './database.js';

/** `rx outbox`: the outbox of a service (docs/architecture.md). */
export function addOutboxCommand(program: Command): void {
  program
    .command('outbox')
    .description('the outbox of a service')
    .command('redrive')
    .description('resend the events of a period in their order, delivered ones too')
    .addArgument(new Argument('<service>').choices(outboxServices))
    .requiredOption('--from <time>', 'at this time or later, such as 2026-01-31T09:00Z', readTime)
    .option('--to <time>', 'at this time or earlier; now by default', readTime)
    .option('--dead', 'only dead letters; the period is about when they died')
    .action(async (service: OutboxService, { from, to = new Date(), dead = false }: RedriveOptions) => {
      if (from > to) throw new Error('--to is before --from.');
      const state = dead ? ('dead' as const) : undefined;
      const count = await withDatabase(async (sql) => {
        await noteAccess(sql, 'event.redrive', null);
        return redrive(sql, service, { from, to, state });
      });
      console.log(`Resending ${dead ? 'dead events' : 'events'} of ${service}: ${count}.`);
    });
}

interface RedriveOptions {
  from: Date;
  to?: Date;
  dead?: boolean;
}

/** Requires a zone: without one the time would depend on the machine. */
function readTime(text: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('Give a time with its zone, such as 2026-01-31T09:00Z.');
  return time;
}
