import { readdirSync, readFileSync } from 'node:fs';

/** The clock tick of /proc/<pid>/stat. */
const tickMs = 10;

/** CPU time of processes and of their children, in milliseconds. Linux only. */
export function cpuMs(pids: readonly number[]): number {
  const ticks = familyOf(pids).map((pid) => {
    const fields = statFields(pid);
    // utime, stime, and cutime, cstime of exited children.
    return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0);
  });
  return ticks.reduce((sum, value) => sum + value, 0) * tickMs;
}

/** Memory of processes in MiB, with shared pages counted once (PSS). Linux only. */
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

/** The fields from the state on; the name before them may hold spaces and parentheses. Empty for an exited process. */
function statFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
