import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config.js';

/**
 * Settings by file: with `SECRETS_DIR` every file of that folder whose name reads like a setting's is one, less the line
 * break at its end. An empty file says nothing. To be called first in a process: what is read afterwards, Temporal's own
 * variables too, finds them in the environment as if they had been given there.
 * @param env usually `process.env`, which it adds to
 * @throws ConfigError when the folder cannot be read, or a setting is given in both ways
 */
export function takeSecretFiles(env: NodeJS.ProcessEnv): void {
  const folder = env['SECRETS_DIR'];
  if (!folder) return;
  const faults: string[] = [];
  for (const name of namesIn(folder)) {
    const value = readFileSync(join(folder, name), 'utf8').replace(/\r?\n$/, '');
    if (value === '') continue;
    if (env[name] !== undefined && env[name] !== value)
      faults.push(`${name}: is in the environment and, with another value, in SECRETS_DIR`);
    env[name] = value;
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name));
  } catch {
    throw new ConfigError(['SECRETS_DIR: is no folder that can be read']);
  }
}
