import { type Command, Option } from 'commander';
import { dunningStates } from '../domain/orchestrator/dunning.js';
import { ask, askForAll, printList } from './lists.js';

interface Answer {
  payment: { status: string; amountCents: number; currency: string };
}

interface Recovery {
  reference: string;
  state: string;
  status: string;
  reason: string | null;
  amountCents: number;
  currency: string;
  attempt: number;
  messagesSent: number;
  openedAt: string;
  nextAt: string | null;
  endsAt: string;
}

const amountOf = ({ amountCents, currency }: { amountCents: number; currency: string }): string =>
  `${(amountCents / 100).toFixed(2)} ${currency.toUpperCase()}`;

/** `rx payments`: charges that have failed and how it stands with them (D107); `retry` charges one again (D85). */
export function addPaymentsCommand(program: Command): void {
  const payments = program
    .command('payments')
    .description('list charges that have failed, and what is being done about them')
    .addOption(
      new Option('--state <state>', 'open unless said').choices([...dunningStates, 'all']).default('open'),
    )
    .option('--json', 'print JSON')
    .action(async ({ state, json }: { state: string; json?: true }) => {
      const path = `/orchestrator/payment-recoveries${state === 'all' ? '' : `?state=${state}`}`;
      const call = { service: 'orchestrator', method: 'GET', path } as const;
      printList(
        await askForAll<Recovery>(call, 'recoveries'),
        {
          Since: ({ openedAt }) => openedAt,
          Reference: ({ reference }) => reference,
          Amount: amountOf,
          State: ({ state }) => state,
          Reason: ({ reason }) => reason ?? '',
          Charges: ({ attempt }) => String(attempt),
          Messages: ({ messagesSent }) => String(messagesSent),
          'Looked at': ({ nextAt }) => nextAt ?? '',
          Until: ({ endsAt }) => endsAt,
        },
        json,
      );
    });
  payments
    .command('retry <taskId>')
    .description('charge again what could not be charged')
    .action(async (taskId: string) => {
      const path = `/orchestrator/payments/${encodeURIComponent(taskId)}/retry`;
      const { payment } = await ask<Answer>({ service: 'orchestrator', method: 'POST', path });
      console.log(`${payment.status}: ${amountOf(payment)}`);
      if (payment.status !== 'succeeded') process.exitCode = 1;
    });
}
