import { Command } from 'commander';
import { addAdminCommand } from './admin.js';
import { addApproveCommand } from './approve.js';
import { addCallCommand } from './call.js';
import { addCallbacksCommand } from './callbacks.js';
import { addDemoCommand } from './demo/command.js';
import { addIntakeCommands } from './intakes.js';
import { addKeysCommand } from './keys.js';
import { addOutboxCommand } from './outbox.js';
import { addPaymentsCommand } from './payments.js';
import { addRefillsCommand } from './refills.js';
import { addRoutingCommand } from './routing.js';
import { addRunsCommand } from './runs.js';

/** `npm run rx -- <command>`: the command line for a running system. */
const program = new Command('rx').description('Scriptrail on the command line').showHelpAfterError();
addCallCommand(program);
addApproveCommand(program);
addDemoCommand(program);
addAdminCommand(program);
addKeysCommand(program);
addRunsCommand(program);
addPaymentsCommand(program);
addRefillsCommand(program);
addRoutingCommand(program);
addCallbacksCommand(program);
addIntakeCommands(program);
addOutboxCommand(program);

program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
