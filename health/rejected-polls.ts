import { taskQueues, type TaskQueue } from '../workflows/queues.js';

/** Answers to a poll that do not pass by themselves. */
const refusals = /status_code="(PERMISSION_DENIED|UNAUTHENTICATED|NOT_FOUND|INVALID_ARGUMENT)"/;
/** Over the longest pause that the SDK makes between polls, and within it readiness tells. */
const recentMs = 12_000;
const freshMs = 1_000;

/**
 * Tells whose polls Temporal refuses at present. The SDK only counts refusals, and asks on for a minute before its worker
 * dies of them.
 * @param scrape what the SDK counts
 */
export function watchRejectedPolls(scrape: () => Promise<string>): () => Promise<ReadonlySet<string>> {
  const counts = new Map<string, { count: number; grewAt: number }>();
  let last: { at: number; refused: Promise<ReadonlySet<string>> } | undefined;
  return () => {
    if (!last || Date.now() - last.at > freshMs) last = { at: Date.now(), refused: look() };
    return last.refused;
  };

  async function look(): Promise<ReadonlySet<string>> {
    for (const [taskQueue, count] of refusalsIn(await scrape()))
      if (count > (counts.get(taskQueue)?.count ?? 0)) counts.set(taskQueue, { count, grewAt: Date.now() });
    const isRefused = (queue: TaskQueue) =>
      Date.now() - (counts.get(taskQueues[queue])?.grewAt ?? 0) < recentMs;
    return new Set((Object.keys(taskQueues) as TaskQueue[]).filter(isRefused));
  }
}

/** How often the polls of each task queue have been refused so far. */
function refusalsIn(scraped: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, labels = '', count] of scraped.matchAll(
    /^temporal_long_request_failure_total\{([^}]*)\} (\d+)/gm,
  )) {
    const [, taskQueue] = /task_queue="([^"]*)"/.exec(labels) ?? [];
    if (taskQueue !== undefined && refusals.test(labels))
      counts.set(taskQueue, (counts.get(taskQueue) ?? 0) + Number(count));
  }
  return counts;
}
