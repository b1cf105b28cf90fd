import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import { rechecks } from '../handlers.js';
import { Retries } from '../stuck.js';

export interface OrderedQueue<Item extends QueueItem> {
  /** The step that shows as stuck. */
  step: string;
  /** Reads the first undelivered item by sequence. */
  next: () => Promise<Item | null>;
  /** Tries to deliver a due item and records the result. */
  deliver: (item: Item) => Promise<void>;
  /** Called before the wait for an item. */
  waiting: (item: Item) => void;
}

export interface QueueItem {
  /** Epoch milliseconds of the next try; null: at once. */
  dueAt: number | null;
  /** Failed tries. */
  attempts: number;
  /** Epoch milliseconds */
  firstAttemptAt?: number | null;
}

/**
 * Processes a queue in a table, item by item; a waiting item blocks those behind it. A signal triggers a new look at
 * the table. Returns when the queue is empty, and continues as new with `args` when the history is long.
 */
export async function workThroughQueue<Item extends QueueItem>(
  queue: OrderedQueue<Item>,
  ...args: unknown[]
): Promise<void> {
  const recheck = rechecks();
  const retries = new Retries();
  for (;;) {
    recheck.clear();
    const item = await queue.next();
    if (!item || item.attempts === 0) retries.succeeded();
    if (item === null) {
      // No await between this check and the end of the run: a later signal starts the next run.
      if (recheck.isDue()) continue;
      if (allHandlersFinished()) return;
      await condition(allHandlersFinished);
      continue;
    }
    const waitMs = item.dueAt === null ? 0 : item.dueAt - Date.now();
    if (waitMs > 0) {
      queue.waiting(item);
      const { attempts, firstAttemptAt: since } = item;
      if (attempts > 0) retries.failed({ step: queue.step, pauseMs: waitMs, ...(since ? { since } : {}) });
      await condition(recheck.isDue, waitMs);
    } else {
      await queue.deliver(item);
    }
    // The next run starts with the table, so no signal is lost.
    if (workflowInfo().continueAsNewSuggested && allHandlersFinished()) await continueAsNew(...args);
  }
}
