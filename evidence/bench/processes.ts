import { readdirSync, readFileSync } from 'node:fs';

/** Of /proc/<pid>/stat; what Linux counts CPU time in. */
const tickMs = 10;

/** CPU time that processes have used so far, their present and past children's too, in milliseconds. Linux only. */
export function cpuMs(pids: readonly number[]): number {
  const ticks = familyOf(pids).map((pid) => {
    const fields = statFields(pid);
    // utime, stime; of children that have ended, cutime and cstime.
    return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0);
  });
  return ticks.reduce((sum, value) => sum + value, 0) * tickMs;
}

/** Memory held by processes, in MiB; what they share is counted once (PSS). Linux only. */
export function memoryMiB(pids: readonly number[]): number {
  const kib = pids.map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0),
  );
  return kib.reduce((sum, value) => sum + value, 0) / 1024;
}

function familyOf(pids: readonly number[]): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(all.map((pid) => [pid, Number(statFields(pid)[1])]));
  return all.filter((pid) => pids.includes(pid) || pids.includes(parents.get(pid) ?? 0));
}

/** The fields from the state on: the name before them may hold spaces and parentheses. Empty for a process that ended. */
function statFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
