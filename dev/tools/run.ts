import { spawn } from 'node:child_process';

/** Long enough for a cold build on a slow machine; bounds a network that does not answer. */
const limitMs = 30 * 60_000;
const keptOutput = 20_000;

/**
 * Runs a command quietly.
 * @throws Error with one line that names the command and the cause
 */
export async function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number },
): Promise<void> {
  const child = spawn(command, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.timeout(limitMs),
  });
  const stopWithUs = () => child.kill('SIGKILL');
  process.once('exit', stopWithUs);
  let output = '';
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-keptOutput));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  try {
    await new Promise<void>((resolve, reject) => {
      const step = `${command} ${args[0] ?? ''}`.trim();
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          new Error(error.code === 'ENOENT' ? `${command} is not installed` : `${step}: ${error.message}`),
        ),
      );
      child.once('close', (code, signal) => {
        if (code === 0) resolve();
        else reject(new Error(`${step} ended with ${signal ?? `code ${code ?? '?'}`}: ${lastLine(output)}`));
      });
    });
  } finally {
    process.off('exit', stopWithUs);
  }
}

export const lastLine = (output: string): string => output.trim().split('\n').at(-1)?.trim() ?? '';
