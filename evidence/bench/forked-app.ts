import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface ForkedApp {
  pid: number;
  url: string;
  stop: () => Promise<void>;
}

/** A program that is compared with ours, in a process of its own. It says where it listens, and ends when let go. */
export async function forkApp(
  program: string,
  {
    args = [],
    env,
    execPath = process.execPath,
    imports = [],
  }: {
    args?: string[];
    env?: Record<string, string>;
    /** The Node that runs it. */
    execPath?: string;
    /** Modules that each of its threads loads first. */
    imports?: string[];
  },
): Promise<ForkedApp> {
  const child = fork(program, args, {
    execPath,
    execArgv: ['tsx', ...imports].flatMap((module) => ['--import', module]),
    ...(env && { env }),
    // Nothing but figures in the output; what ends it should not be lost.
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
