import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface ForkedApp {
  pid: number;
  url: string;
  stop: () => Promise<void>;
}

/** A program to compare with, in its own process. It reports its address and exits on disconnect. */
export async function forkApp(
  program: string,
  { args = [], env }: { args?: string[]; env?: Record<string, string> },
): Promise<ForkedApp> {
  const child = fork(program, args, {
    execArgv: ['--import', 'tsx'],
    ...(env && { env }),
    // Standard output carries only figures; errors stay visible.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const started = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
  if (!started) throw new Error(`${program} ended before it was ready`);
  const [{ url }] = started as [{ url: string }];
  return {
    pid: child.pid ?? 0,
    url,
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
