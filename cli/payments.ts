import type { Command } from 'commander';
import { ask } from './lists.js';

interface Answer {
  payment: { status: string; amountCents: number; currency: string };
}

/** `rx payments retry`: charges a task again whose charge has failed (D85). */
export function addPaymentsCommand(program: Command): void {
  program
    .command('payments')
    .description('payments of tasks')
    .command('retry <taskId>')
    .description('charge again what could not be charged')
    .action(async (taskId: string) => {
      const path = `/orchestrator/payments/${encodeURIComponent(taskId)}/retry`;
      const { payment } = await ask<Answer>({ service: 'orchestrator', method: 'POST', path });
      const amount = (payment.amountCents / 100).toFixed(2);
      console.log(`${payment.status}: ${amount} ${payment.currency.toUpperCase()}`);
      if (payment.status !== 'succeeded') process.exitCode = 1;
    });
}
