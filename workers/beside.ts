import { setTimeout as sleep } from 'node:timers/promises';
import { whileLocked } from '../db/advisory-lock.js';
import { outboxChannel } from '../db/outbox.js';
import type { Logger } from '../platform/logger.js';
import { type Outbox, passOutbox } from '../starts/outbox.js';
import type { Sweep, WorkerContext } from './context.js';

/** Polls in case a notification was lost with its connection. */
const pollEveryMs = 5_000;
/** A sweep sees a run after 30 s, so a closed run is found within the minute that D33 allows. */
const sweepEveryMs = 10_000;
/** While a pass keeps failing, the log repeats the failure at this interval. */
const logEveryMs = 60_000;

export interface Loop {
  /** Resolves once the current pass has ended. */
  stop: () => Promise<void>;
}

/**
 * Ships the committed events of a service, and again until nothing is left. Postgres wakes this loop in every worker of
 * the service, and the worker that gets the lock makes the pass. No workflow does this: an activity that loops for days
 * would never end by itself, and would look like one that fails.
 * @param pollMs the pause between two looks that no notification asks for
 */
export function startRelay(outbox: Outbox, pollMs = pollEveryMs): Loop {
  const { sql, schema, logger } = outbox;
  let listening: Promise<unknown> | undefined;
  const loop = startLoop(pollMs, retried(`the relay of ${schema}`, logger, passAll));
  return loop;

  async function passAll(): Promise<void> {
    // The pool reconnects after a connection loss and stops listening when it ends.
    listening ??= sql.listen(outboxChannel(schema), loop.wake).catch((error: unknown) => {
      listening = undefined;
      throw error;
    });
    await listening;
    while (!loop.isStopped() && (await passOutbox(outbox, 'try')) > 0);
  }
}

/** Repeats a pass at an interval. */
export const startTicks = (
  { logger }: Pick<WorkerContext, 'logger'>,
  { what, everyMs, pass }: { what: string; everyMs: number; pass: () => Promise<unknown> },
): Loop => startLoop(everyMs, retried(what, logger, pass));

/**
 * Runs the sweeps of a service concurrently, in one of its workers at a time. A failing sweep does not block the
 * others.
 */
export function startSweeps(
  { sql, logger }: Pick<WorkerContext, 'sql' | 'logger'>,
  service: string,
  sweeps: readonly Sweep[],
): Loop {
  const quiet = sweeps.map((sweep) => retried(`the sweep ${sweep.name} of ${service}`, logger, sweep));
  const sweepAll = () =>
    whileLocked(sql, `${service}_sweeps`, 'try', () => Promise.all(quiet.map((sweep) => sweep())));
  return startLoop(sweepEveryMs, retried(`the sweeps of ${service}`, logger, sweepAll));
}

/** Makes a pass at once, then again after each pause or when woken. @param pass must not throw */
function startLoop(pauseMs: number, pass: () => Promise<void>) {
  let nap = new AbortController();
  let stopped = false;
  // The caller gets the loop before its first pass begins.
  const ended = Promise.resolve().then(async () => {
    while (!stopped) {
      // Created before the pass, so that a wake during the pass starts another one.
      nap = new AbortController();
      await pass();
      await sleep(pauseMs, undefined, { signal: nap.signal }).catch(() => undefined);
    }
  });
  const wake = () => nap.abort();
  return {
    wake,
    isStopped: () => stopped,
    stop: () => {
      stopped = true;
      wake();
      return ended;
    },
  };
}

/**
 * Wraps a pass so that it never throws. An outage logs one line when it begins, one per minute, and one when it ends.
 */
function retried(what: string, logger: Logger, pass: () => Promise<unknown>): () => Promise<void> {
  let failing = false;
  let logAt = 0;
  return async () => {
    try {
      await pass();
      if (failing) logger.info(`${what} works again`);
      failing = false;
      logAt = 0;
    } catch (err) {
      failing = true;
      if (Date.now() < logAt) return;
      logAt = Date.now() + logEveryMs;
      logger.warn({ err }, `${what} failed and is retried`);
    }
  };
}
