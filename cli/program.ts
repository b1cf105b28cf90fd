import { Command } from 'commander';
import { messageWithAdvice } from '../platform/certificate-advice.js';
import { version } from '../platform/version.js';
import { addAccessCommand } from './access.js';
import { addAdminCommand } from './admin.js';
import { addApproveCommand, addPreflightCommand } from './approve.js';
import { addCallCommand } from './call.js';
import { addCallbacksCommand } from './callbacks.js';
import { addCloseCommand } from './closes.js';
import { addClockCommand } from './clock.js';
import { addEventsCommand } from './events.js';
import { addHoldsCommand } from './holds.js';
import { addIntakeCommands } from './intakes.js';
import { addKeysCommand } from './keys.js';
import { addListenCommand } from './listen.js';
import { addMedicationsCommand } from './medications.js';
import { addOrderChangeCommands } from './order-changes.js';
import { addOutboxCommand } from './outbox.js';
import { addPatientsCommand } from './patients.js';
import { addPaymentsCommand } from './payments.js';
import { addPlansCommand } from './plans.js';
import { addRecoverCommand } from './recover.js';
import { addRefillsCommand } from './refills.js';
import { addRehearseCommand } from './rehearse/command.js';
import { addRoutingCommand } from './routing.js';
import { addRunsCommand } from './runs.js';
import { addPricesCommand, addStatementsCommand } from './statements.js';
import { addStuckCommand } from './stuck.js';
import { addSecretsCommand } from './secrets.js';
import { addTimelineCommand } from './timeline.js';
import { addWorklistCommand } from './worklist.js';

/** The commands of operators; `SCRIPTRAIL_SYSTEM` selects the system. */
export const rx = new Command('rx')
  .description('Scriptrail on the command line')
  .version(version)
  .showHelpAfterError();
addCallCommand(rx);
addApproveCommand(rx);
addOrderChangeCommands(rx);
addPreflightCommand(rx);
addAdminCommand(rx);
addKeysCommand(rx);
addRunsCommand(rx);
addSecretsCommand(rx);
addTimelineCommand(rx);
addPaymentsCommand(rx);
addRecoverCommand(rx);
addRefillsCommand(rx);
addPlansCommand(rx);
addRoutingCommand(rx);
addClockCommand(rx);
addMedicationsCommand(rx);
addCloseCommand(rx);
addStatementsCommand(rx);
addPricesCommand(rx);
addCallbacksCommand(rx);
addEventsCommand(rx);
addHoldsCommand(rx);
addRehearseCommand(rx);
addListenCommand(rx);
addIntakeCommands(rx);
addAccessCommand(rx);
addOutboxCommand(rx);
addPatientsCommand(rx);
addWorklistCommand(rx);
addStuckCommand(rx);

/** Runs the command line. A failure prints one sentence and exits with 1. */
export function run(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` has closed the pipe. The command completes its work.
    if (error.code !== 'EPIPE') throw error;
  });
  rx.parseAsync().catch((error: unknown) => {
    console.error(messageWithAdvice(error));
    process.exitCode = 1;
  });
}
