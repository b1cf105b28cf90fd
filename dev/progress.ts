/** Says one line to the person who waits. */
export type Report = (line: string) => void;

const silenceMs = 2_000;
const remindMs = 10_000;

/** Runs `work`; what takes longer than 2 s is named, and named again every 10 s with the seconds gone by. */
export async function withProgress<T>(report: Report, what: string, work: () => Promise<T>): Promise<T> {
  const startedMs = Date.now();
  const say = () => report(`${what} … ${Math.round((Date.now() - startedMs) / 1000)} s`);
  let reminder: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    say();
    reminder = setInterval(say, remindMs);
  }, silenceMs);
  try {
    return await work();
  } finally {
    clearTimeout(first);
    clearInterval(reminder);
  }
}
