import type { Command } from 'commander';
import { callAndPrint } from './call-service.js';
import { ask, type Entry, printList } from './lists.js';
import { readJson } from './values.js';

const path = '/orchestrator/medications';
const call = { service: 'orchestrator', key: 'admin' } as const;
const pathOf = (key: string): string => `${path}/${encodeURIComponent(key)}`;

/** `rx medications`: what an approval may name (D123). */
export function addMedicationsCommand(program: Command): void {
  const medications = program.command('medications').description('medications that approvals name');
  medications
    .command('list')
    .description('list all medications by key')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const answer = await ask<{ medications: Entry[] }>({ ...call, path });
      printList(
        answer.medications,
        {
          Key: 'key',
          Name: 'displayName',
          Directions: 'sig',
          Quantity: ({ quantity, unit }) => `${String(quantity)} ${String(unit)}`,
          Refills: 'refills',
          Days: 'daysSupply',
          Cents: 'priceCents',
          Active: 'isActive',
          Source: 'source',
        },
        json,
      );
    });
  medications
    .command('set')
    .description('add or replace a medication, and print the answer')
    .argument('<key>')
    .argument('<json>', '{displayName, sig, quantity, priceCents, refills?, daysSupply?, ...}', readJson)
    .action((key: string, medication: unknown) =>
      callAndPrint({ ...call, method: 'PUT', path: pathOf(key), body: JSON.stringify(medication) }),
    );
  medications
    .command('remove <key>')
    .description('remove a stored medication')
    .action(async (key: string) => {
      const request = { ...call, method: 'DELETE', path: pathOf(key) } as const;
      const { medication } = await ask<{ medication: { displayName: string } | null }>(request);
      console.log(
        medication
          ? `${key} is the built-in ${medication.displayName} again.`
          : `${key} is not a medication any more.`,
      );
    });
}
