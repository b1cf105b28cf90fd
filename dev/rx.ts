import { existsSync } from 'node:fs';
import { rx, run } from '../cli/program.js';
import { addDemoCommand } from './demo/command.js';
import { defaultStateDir, devJsonPath, readDevJson } from './dev-json.js';
import { loadSecrets } from './start/secrets.js';

/** `npm run rx -- <command>`: the command line, for the development system unless another is named, with its demonstrations. */
if (!process.env['SCRIPTRAIL_SYSTEM']) useDevelopmentSystem(defaultStateDir());
addDemoCommand(rx);
run();

/** Says what an operator of a production system says in the environment. */
function useDevelopmentSystem(stateDir: string): void {
  process.env['SCRIPTRAIL_SYSTEM'] = devJsonPath(stateDir);
  if (!existsSync(devJsonPath(stateDir))) return; // a command that needs it complains
  const { adminJwtSecret, secretEncryptionKeys } = loadSecrets(stateDir);
  const { temporal } = readDevJson(stateDir);
  process.env['TEMPORAL_ADDRESS'] ??= temporal.address;
  process.env['TEMPORAL_NAMESPACE'] ??= temporal.namespace;
  process.env['ADMIN_JWT_SECRET'] ??= adminJwtSecret;
  // Keys sealed with our ring would be lost on the services of another database.
  const { DATABASE_URL: databaseUrl } = process.env;
  if (!databaseUrl || databaseUrl === readDevJson(stateDir).databaseUrl)
    process.env['SECRET_ENCRYPTION_KEYS'] ??= secretEncryptionKeys;
}
