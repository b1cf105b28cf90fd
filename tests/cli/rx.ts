import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { compiledSources } from '../../dev/compile.js';
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
  run('dev/rx.js', { ...process.env, ...settings }, args);

/** As an operator's machine has it: told by these variables alone, with nothing of development. */
export const bareRx = (env: Record<string, string>, ...args: string[]): Promise<CommandResult> =>
  run('cli/main.js', env, args);

/** The same for a reader that closes the pipe before anything is written, as `head` may. */
export async function unreadRx(...args: string[]): Promise<Pick<CommandResult, 'exitCode' | 'stderr'>> {
  const path = join(await (sources ??= compiledSources()), 'dev/rx.js');
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += String(text)));
  const [exitCode] = (await once(child, 'close')) as [number];
  return { exitCode, stderr };
}

/** Asked once for all commands of a test file: to find that the sources are compiled takes reading them all. */
let sources: Promise<string> | undefined;

async function run(script: string, env: NodeJS.ProcessEnv, args: readonly string[]): Promise<CommandResult> {
  const path = join(await (sources ??= compiledSources()), script);
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...args], { env }, (error, stdout, stderr) => {
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
    });
  });
}

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
