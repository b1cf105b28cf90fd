import { type Command, Option } from 'commander';
import { replacementPayers, replacementReasons } from '../domain/orchestrator/replacement.js';
import { pharmacies } from '../domain/pharmacies.js';
import { callAndPrint } from './call-service.js';
import { readJson } from './values.js';

/** `rx cancel`, `rx reroute`, `rx replace`: cancels an approval, moves or replaces its order (D104, D105, D120). */
export function addOrderChangeCommands(program: Command): void {
  program
    .command('cancel <taskId>')
    .description('cancel an approval; refill-<scheduleId> is the newest refill of a schedule')
    .requiredOption('--reason <text>', 'sent to the pharmacy and the patient')
    .option('--stop-refills', 'for a refill: end its schedule too')
    .action((taskId: string, options: { reason: string; stopRefills?: true }) =>
      post('cancel', { taskId, ...options }),
    );
  program
    .command('reroute <taskId>')
    .description('move the order of a task to another pharmacy or address')
    .addOption(new Option('--pharmacy <name>').choices(pharmacies).makeOptionMandatory())
    .option('--ship-to <json>', address, readJson)
    .action((taskId: string, options: object) => post('reroute', { taskId, ...options }));
  program
    .command('replace <taskId>')
    .description('order a shipped order of a task again')
    .addOption(new Option('--reason <reason>').choices(replacementReasons).makeOptionMandatory())
    .addOption(new Option('--paid-by <payer>').choices(replacementPayers).makeOptionMandatory())
    .option('--note <text>', 'kept with the replacement')
    .option('--ship-to <json>', address, readJson)
    .action((taskId: string, options: object) => post('replacements', { taskId, ...options }));
}

const address = 'another address: {addressLine1, addressLine2?, city, state, zip}';
const post = (action: string, body: object): Promise<void> =>
  callAndPrint({
    service: 'orchestrator',
    method: 'POST',
    path: `/orchestrator/${action}`,
    body: JSON.stringify(body),
  });
