import { type Command, Option } from 'commander';
import { pharmacies } from '../domain/pharmacies.js';
import { callAndPrint } from './call-service.js';

/** `rx cancel`, `rx reroute`: cancels an approval, or moves its order to another pharmacy (D104, D105). */
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
    .description('move the order of a task to another pharmacy')
    .addOption(new Option('--pharmacy <name>').choices(pharmacies).makeOptionMandatory())
    .action((taskId: string, options: { pharmacy: string }) => post('reroute', { taskId, ...options }));
}

const post = (action: string, body: object): Promise<void> =>
  callAndPrint({
    service: 'orchestrator',
    method: 'POST',
    path: `/orchestrator/${action}`,
    body: JSON.stringify(body),
  });
