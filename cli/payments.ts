import { type Command, Option } from 'commander';
import { dunningStates } from '../domain/orchestrator/dunning.js';
import { ask, askForAll, type Entry, printList } from './lists.js';

const amountOf = ({ amountCents, currency }: Entry): string =>
  `${(Number(amountCents) / 100).toFixed(2)} ${String(currency).toUpperCase()}`;

/** `rx payments`: failed charges and their dunning (D107); `retry` charges one again (D85). */
export function addPaymentsCommand(program: Command): void {
  const payments = program
    .command('payments')
    .description('list failed charges and their dunning')
    .addOption(new Option('--state <state>').choices([...dunningStates, 'all']).default('open'))
    .option('--json', 'print JSON')
    .action(async ({ state, json }: { state: string; json?: true }) => {
      const path = `/orchestrator/payment-recoveries${state === 'all' ? '' : `?state=${state}`}`;
      printList(
        await askForAll({ service: 'orchestrator', path }, 'recoveries'),
        {
          Since: 'openedAt',
          Reference: 'reference',
          Amount: amountOf,
          State: 'state',
          Reason: 'reason',
          Charges: 'attempt',
          Messages: 'messagesSent',
          'Next check': 'nextAt',
          Until: 'endsAt',
        },
        json,
      );
    });
  payments
    .command('retry <taskId>')
    .description('retry a failed charge')
    .action(async (taskId: string) => {
      const path = `/orchestrator/payments/${encodeURIComponent(taskId)}/retry`;
      const { payment } = await ask<{ payment: Entry & { status: string } }>({
        service: 'orchestrator',
        method: 'POST',
        path,
      });
      console.log(`${payment.status}: ${amountOf(payment)}`);
      if (payment.status !== 'succeeded') process.exitCode = 1;
    });
}
