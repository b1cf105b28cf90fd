/**
 * Runs one piece of work at a time. Items that arrive meanwhile share the next one, which saves commits under load.
 * @param work gets the items in the order of arrival, and returns a result for each
 */
export function inBatches<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Item[] = [];
  let next: Promise<readonly Result[]> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const run = () => {
    const batch = waiting;
    [waiting, next] = [[], undefined];
    return work(batch);
  };
  return async (item) => {
    const position = waiting.push(item) - 1;
    if (!next) {
      next = last.then(run);
      last = next.catch(() => undefined);
    }
    return (await next)[position] as Result;
  };
}
