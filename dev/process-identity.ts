import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A pid with its start time, which identifies a process even if its pid is reused. */
export const processIdentitySchema = z.object({ pid: z.number().int().positive(), startedAt: z.string() });
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** The living process with this pid; undefined if there is none or only a zombie. */
export function identify(pid: number): ProcessIdentity | undefined {
  const found = process.platform === 'linux' ? readProcStat(pid) : askPs(pid);
  return found === undefined || found.isZombie ? undefined : { pid, startedAt: found.startedAt };
}

export const isAlive = ({ pid, startedAt }: ProcessIdentity): boolean =>
  identify(pid)?.startedAt === startedAt;

/** Signals exactly this process. @returns false if it has exited */
export function signalProcess(target: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isAlive(target)) return false;
  try {
    return process.kill(target.pid, signal);
  } catch {
    return false;
  }
}

interface ProcessState {
  isZombie: boolean;
  startedAt: string;
}

/**
 * Parses `pid (comm) state … num_threads … starttime`. The name may hold spaces and parentheses, so fields count from
 * the last `)`.
 * A killed process reads as a zombie while its other threads exit; it keeps its ports until then.
 */
function readProcStat(pid: number): ProcessState | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, threads, startedAt] = [fields[0], fields[17], fields[19]];
    if (startedAt === undefined) return undefined;
    return { isZombie: state === 'Z' && Number(threads) <= 1, startedAt };
  } catch {
    return undefined;
  }
}

function askPs(pid: number): ProcessState | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const [, state, startedAt] = /^(\S+)\s+(\S.*)$/.exec(stdout.trim()) ?? [];
  return state === undefined || startedAt === undefined
    ? undefined
    : { isZombie: state.startsWith('Z'), startedAt };
}
