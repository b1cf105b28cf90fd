import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm run faults`: with a seed the campaign, which judges a whole system by the books of the parties outside; without
 * one every test of Jest's that takes long, with Jest's own arguments.
 */
const args = process.argv.slice(2);
if (args.some((argument) => /^--(seed|help)(=|$)/.test(argument))) await import('./campaign/main.js');
else {
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  const projects = ['--selectProjects', 'faults', 'long-rules', 'long-parts', 'browser', 'build'];
  const tests = spawn(process.execPath, [...jest, ...projects, ...args], {
    stdio: 'inherit',
    env: { ...process.env, FAULTS: 'full' },
  });
  // Whoever is interrupted at a terminal has told Jest too, which ends by itself.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => tests.kill(name));
  const [code] = (await once(tests, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
