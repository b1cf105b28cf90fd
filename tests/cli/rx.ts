import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { DevJson } from '../../dev/dev-json.js';

export interface CommandResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs `rx` against the shared system, as a person would. */
export const rx = (...args: string[]): Promise<CommandResult> => rxWith({}, ...args);

/** The same with settings of the person's own. */
export const rxWith = (settings: Record<string, string>, ...args: string[]): Promise<CommandResult> =>
  new Promise((resolve) => {
    const command = ['--import', 'tsx', 'dev/rx.ts', ...args];
    const env = { ...process.env, ...settings };
    execFile(process.execPath, command, { env }, (error, stdout, stderr) => {
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
    });
  });

/** The key that a command of `rx keys` prints as JSON. */
export async function keyFrom(...args: string[]): Promise<{ key: string; secret: string }> {
  const { exitCode, stdout, stderr } = await rx('keys', ...args, '--json');
  if (exitCode !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as { key: string; secret: string };
}

/** The system with one more key, called `name`, to sign with. */
export async function withKey(dev: DevJson, name: string, ...options: string[]): Promise<DevJson> {
  const { key, secret } = await keyFrom('create', `${name} ${randomUUID()}`, ...options);
  return { ...dev, apiKeys: { ...dev.apiKeys, [name]: { key, secret, scopes: [] } } };
}
