import { type Command, Option } from 'commander';
import { pharmacies } from '../domain/pharmacies.js';
import { callService, pretty } from './call-service.js';
import { readSystem } from './system.js';

/** `rx cancel`, `rx reroute`: takes an approval back, or moves its order to another pharmacy (D104, D105). */
export function addOrderChangeCommands(program: Command): void {
  program
    .command('cancel <taskId>')
    .description('take an approval back; refill-<scheduleId> is the newest refill of a schedule')
    .requiredOption('--reason <text>', 'told to the pharmacy and the patient')
    .option('--stop-refills', 'of a refill: end its schedule too')
    .action((taskId: string, { reason, stopRefills }: { reason: string; stopRefills?: true }) =>
      post('/orchestrator/cancel', { taskId, reason, stopRefills }),
    );
  program
    .command('reroute <taskId>')
    .description('move the order of a task to another pharmacy')
    .addOption(new Option('--pharmacy <name>').choices(pharmacies).makeOptionMandatory())
    .action((taskId: string, { pharmacy }: { pharmacy: string }) =>
      post('/orchestrator/reroute', { taskId, pharmacy }),
    );
}

async function post(path: string, body: object): Promise<void> {
  const call = { service: 'orchestrator', method: 'POST', path, body: JSON.stringify(body) } as const;
  const answer = await callService(readSystem(), call);
  console.log(answer.status);
  console.log(pretty(answer.body));
  if (answer.status >= 400) process.exitCode = 1;
}
