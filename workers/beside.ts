import { setTimeout as sleep } from 'node:timers/promises';
import { whileLocked } from '../db/advisory-lock.js';
import { outboxChannel } from '../db/outbox.js';
import type { Logger } from '../platform/logger.js';
import { type Outbox, passOutbox } from '../starts/outbox.js';
import type { WorkerContext } from './context.js';

/** Looks for rows that were left without the run they need; quick, and harmless to repeat. Its name is in the log. */
export type Sweep = () => Promise<void>;

/** Behind the notification, for one that got lost with its connection. */
const pollEveryMs = 5_000;
/** With the 30 s that a run may be open before it is looked at, well under the minute that D33 gives. */
const sweepEveryMs = 10_000;
/** While something is away, its failure is told this often. */
const tellEveryMs = 60_000;

/** What runs beside a worker. */
export interface Loop {
  /** Resolves once the pass under way has ended. */
  stop: () => Promise<void>;
}

/**
 * Ships what a service has to make known, as it is committed: Postgres wakes this loop in every worker of the service,
 * and whoever gets the lock makes the pass.
 */
export function startRelay(outbox: Outbox): Loop {
  const { sql, schema, logger } = outbox;
  let listening: Promise<unknown> | undefined;
  const loop = startLoop(pollEveryMs, telling(`the relay of ${schema}`, logger, relay));
  return loop;

  async function relay(): Promise<void> {
    // The pool reconnects after a loss, and stops listening when it ends.
    listening ??= sql.listen(outboxChannel(schema), loop.wake).catch((error: unknown) => {
      listening = undefined;
      throw error;
    });
    await listening;
    while (!loop.isStopped() && (await passOutbox(outbox, 'try')) > 0);
  }
}

/** Makes a service's sweeps, side by side and by one of its workers at a time: one that fails holds up no other. */
export function startSweeps(
  { sql, logger }: Pick<WorkerContext, 'sql' | 'logger'>,
  service: string,
  sweeps: readonly Sweep[],
): Loop {
  const quiet = sweeps.map((sweep) => telling(`the sweep ${sweep.name} of ${service}`, logger, sweep));
  const sweepAll = () =>
    whileLocked(sql, `${service}_sweeps`, 'try', () => Promise.all(quiet.map((sweep) => sweep())));
  return startLoop(sweepEveryMs, telling(`the sweeps of ${service}`, logger, sweepAll));
}

/** Makes a pass at once, then again after each pause, or sooner when woken. @param pass must not throw */
function startLoop(pauseMs: number, pass: () => Promise<void>) {
  let nap = new AbortController();
  let stopped = false;
  // The caller has the loop before its first pass begins.
  const ended = Promise.resolve().then(async () => {
    while (!stopped) {
      // Before the pass: a wake during it means another one.
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

/** A pass that does not throw: an outage is a line at its begin, one for every minute of it, and one at its end. */
function telling(what: string, logger: Logger, pass: () => Promise<unknown>): () => Promise<void> {
  let failing = false;
  let tellAt = 0;
  return async () => {
    try {
      await pass();
      if (failing) logger.info(`${what} goes on`);
      failing = false;
      tellAt = 0;
    } catch (err) {
      failing = true;
      if (Date.now() < tellAt) return;
      tellAt = Date.now() + tellEveryMs;
      logger.warn({ err }, `${what} failed, and is tried again`);
    }
  };
}
