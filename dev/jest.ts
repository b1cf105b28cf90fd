import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { projectRoot } from './project-root.js';

/** Runs Jest with the slow projects. @returns its exit code */
export async function jest(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const program = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  const tests = spawn(process.execPath, [...program, ...args], {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...process.env, FAULTS: 'full', ...env },
  });
  // A terminal interrupts Jest too. Jest stops its children before it exits.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => tests.kill(name));
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code ?? 1;
}
