import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config.js';

/**
 * Adds the files of `SECRETS_DIR` to the environment: each file is named like its variable; empty files are skipped.
 * Call it before anything reads the environment.
 * @throws ConfigError if the folder cannot be read, or a file and the environment differ
 */
export function takeSecretFiles(env: NodeJS.ProcessEnv): void {
  const folder = env['SECRETS_DIR'];
  if (!folder) return;
  const faults: string[] = [];
  for (const name of namesIn(folder)) {
    const value = readFileSync(join(folder, name), 'utf8').replace(/\r?\n$/, '');
    if (value === '') continue;
    if (env[name] !== undefined && env[name] !== value)
      faults.push(`${name}: has different values in the environment and in SECRETS_DIR`);
    env[name] = value;
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name));
  } catch {
    throw new ConfigError(['SECRETS_DIR: is not a readable folder']);
  }
}
