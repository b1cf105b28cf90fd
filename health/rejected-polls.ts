import { taskQueues, type TaskQueue } from '../workflows/queues.js';

/** Poll errors that do not pass by themselves. */
const permanentErrors = /status_code="(PERMISSION_DENIED|UNAUTHENTICATED|NOT_FOUND|INVALID_ARGUMENT)"/;
/** Longer than the longest pause between two polls of the SDK, so a rejected queue stays marked until its next poll. */
const recentMs = 12_000;
const freshMs = 1_000;

/**
 * Returns the task queues whose polls Temporal rejects at present. The SDK only counts these errors, and polls for a
 * minute before its worker fails.
 * @param scrape reads the metrics of the SDK
 */
export function watchRejectedPolls(scrape: () => Promise<string>): () => Promise<ReadonlySet<string>> {
  const counts = new Map<string, { count: number; grewAt: number }>();
  let last: { at: number; rejected: Promise<ReadonlySet<string>> } | undefined;
  return () => {
    if (!last || Date.now() - last.at > freshMs) last = { at: Date.now(), rejected: look() };
    return last.rejected;
  };

  async function look(): Promise<ReadonlySet<string>> {
    for (const [taskQueue, count] of rejectionsIn(await scrape()))
      if (count > (counts.get(taskQueue)?.count ?? 0)) counts.set(taskQueue, { count, grewAt: Date.now() });
    const isRejected = (queue: TaskQueue) =>
      Date.now() - (counts.get(taskQueues[queue])?.grewAt ?? 0) < recentMs;
    return new Set((Object.keys(taskQueues) as TaskQueue[]).filter(isRejected));
  }
}

function rejectionsIn(scraped: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, labels = '', count] of scraped.matchAll(
    /^temporal_long_request_failure_total\{([^}]*)\} (\d+)/gm,
  )) {
    const [, taskQueue] = /task_queue="([^"]*)"/.exec(labels) ?? [];
    if (taskQueue !== undefined && permanentErrors.test(labels))
      counts.set(taskQueue, (counts.get(taskQueue) ?? 0) + Number(count));
  }
  return counts;
}
