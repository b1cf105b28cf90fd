import { existsSync } from 'node:fs';
import { rx, run } from '../cli/program.js';
import { addDemoCommand } from './demo/command.js';
import { defaultStateDir, devJsonPath, readDevJson } from './dev-json.js';
import { loadSecrets } from './start/secrets.js';

/** `npm run rx -- <command>`: the command line and its demos, for the development system by default. */
if (!process.env['SCRIPTRAIL_SYSTEM']) useDevelopmentSystem(defaultStateDir());
addDemoCommand(rx);
run();

/** Sets the variables that an operator of a production system would set. */
function useDevelopmentSystem(stateDir: string): void {
  process.env['SCRIPTRAIL_SYSTEM'] = devJsonPath(stateDir);
  if (!existsSync(devJsonPath(stateDir))) return; // a command that needs it complains
  const { adminJwtSecret, secretEncryptionKeys } = loadSecrets(stateDir);
  const { temporal } = readDevJson(stateDir);
  process.env['TEMPORAL_ADDRESS'] ??= temporal.address;
  process.env['TEMPORAL_NAMESPACE'] ??= temporal.namespace;
  process.env['ADMIN_JWT_SECRET'] ??= adminJwtSecret;
  // A service of another database could not open keys that our key ring has sealed.
  const { DATABASE_URL: databaseUrl } = process.env;
  if (!databaseUrl || databaseUrl === readDevJson(stateDir).databaseUrl)
    process.env['SECRET_ENCRYPTION_KEYS'] ??= secretEncryptionKeys;
}
