const preparations: (() => Promise<unknown>)[] = [];

/** What a test needs. It is made once, and with all others before the first test, which shortens the wait. */
export function prepared<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  const start = () => (made ??= make());
  preparations.push(start);
  return start;
}

/** Starts all. One that fails makes the test fail that needs it. */
export function prepareAll(): void {
  for (const start of preparations) start().catch(() => undefined);
}
