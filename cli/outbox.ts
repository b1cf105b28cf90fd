import { Argument, type Command, InvalidArgumentError } from 'commander';
import { redriveDeadDeliveries } from '../db/event-deliveries.js';
import { redriveDead } from '../db/outbox.js';
import { withDatabase } from './database.js';

/** Services with an outbox. The router's leads to callbacks; the others' hold events, delivered to consumers. */
const outboxServices = ['router', 'intake', 'organization', 'patients', 'bridge'] as const;
type OutboxService = (typeof outboxServices)[number];

/** `rx outbox`: what a service has to make known and gave up on (docs/architecture.md). */
export function addOutboxCommand(program: Command): void {
  program
    .command('outbox')
    .description('what a service has to make known')
    .command('redrive')
    .description('drive again, in its old order, what was given up within a window of time')
    .addArgument(new Argument('<service>').choices(outboxServices))
    .requiredOption('--from <time>', 'given up at this time or later, as 2026-01-31T09:00Z', readTime)
    .option('--to <time>', 'and at this time or earlier; now unless said otherwise', readTime)
    .action(async (service: OutboxService, { from, to = new Date() }: { from: Date; to?: Date }) => {
      if (from > to) throw new Error('The window ends before it begins.');
      const count = await withDatabase(async (sql) => {
        const entries = await redriveDead(sql, service, { from, to });
        return service === 'router'
          ? entries
          : entries + (await redriveDeadDeliveries(sql, service, { from, to }));
      });
      console.log(`${count} given up by ${service} ${count === 1 ? 'is' : 'are'} driven again.`);
    });
}

/** A time without a zone would mean another one on another machine. */
function readTime(text: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('A time with its zone is needed, as 2026-01-31T09:00Z.');
  return time;
}
