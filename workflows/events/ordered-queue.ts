import { condition, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow';
import { recheckSignal } from '../messages.js';
import { Retries } from '../stuck.js';

export interface OrderedQueue<Item extends QueueItem> {
  /** What is shown as stuck where an item is tried in vain for long. */
  step: string;
  /** The first undelivered item by sequence, or null: an activity that reads the table. */
  next: () => Promise<Item | null>;
  /** Tries to deliver an item that is due, and records how that went. */
  deliver: (item: Item) => Promise<void>;
  /** Told before a wait for the item's time. */
  waiting: (item: Item) => void;
}

export interface QueueItem {
  /** Epoch milliseconds of the next try; null: at once. */
  dueAt: number | null;
  /** Tries in vain. */
  attempts: number;
  /** Epoch milliseconds, where the table knows it. */
  firstAttemptAt?: number | null;
}

/**
 * Works through a queue that is kept in a table, one item after the other; a signal is only a nudge to look again.
 * Returns when the table has nothing left, or continues as new, with the arguments the run began with, when its
 * history has grown long. An item that has to wait holds up those behind it.
 */
export async function workThroughQueue<Item extends QueueItem>(
  queue: OrderedQueue<Item>,
  ...args: unknown[]
): Promise<void> {
  let nudged = false;
  setHandler(recheckSignal, () => void (nudged = true));
  const isNudged = () => nudged;
  const retries = new Retries();
  for (;;) {
    nudged = false;
    const item = await queue.next();
    if (!item || item.attempts === 0) retries.succeeded();
    if (item === null) {
      // Nothing may be awaited between this look at the signal and the end of the run: what is signalled later
      // starts the next run.
      if (isNudged()) continue;
      return;
    }
    const waitMs = item.dueAt === null ? 0 : item.dueAt - Date.now();
    if (waitMs > 0) {
      queue.waiting(item);
      const { attempts, firstAttemptAt: since } = item;
      if (attempts > 0) retries.failed({ step: queue.step, pauseMs: waitMs, ...(since ? { since } : {}) });
      await condition(isNudged, waitMs);
    } else {
      await queue.deliver(item);
    }
    // The next run begins with a look at the table, so a nudge that this one still holds is not lost.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew(...args);
  }
}
