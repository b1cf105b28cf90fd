import { setTimeout as sleep } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import { isGrpcServiceError } from '@temporalio/client';
import type { Queryable, Sql } from '../db/client.js';
import {
  claimEntries,
  lockOutbox,
  markFailed,
  markShipped,
  outboxChannel,
  type OutboxEntry,
  waitForOutbox,
} from '../db/outbox.js';
import type { Logger } from '../platform/logger.js';

export interface OutboxDependencies {
  sql: Sql;
  /** Whose `<schema>.outbox` it is. */
  schema: string;
  /** Hands an entry over to whoever delivers it; a repeat must be harmless. */
  ship: (entry: OutboxEntry) => Promise<unknown>;
  /** What looks for work that was left behind; each is quick and harmless to repeat. */
  sweeps: readonly (() => Promise<void>)[];
  /** The worker is about to stop: the relay ends at once and goes on elsewhere. */
  stopping: AbortSignal;
  logger: Logger;
}

/** Behind the notification, for one that got lost with its connection. */
const pollEveryMs = 5_000;
const sweepEveryMs = 30_000;
/** Entries shipped side by side, each of another aggregate. */
const batchSize = 100;

export const createOutboxActivities = ({
  sql,
  schema,
  ship,
  sweeps,
  stopping,
  logger,
}: OutboxDependencies) => {
  /** One batch in the transaction that holds the lock; a kill in it repeats the batch. @returns how many were shipped */
  async function shipBatch(sql: Queryable): Promise<number> {
    const entries = await claimEntries(sql, schema, batchSize);
    const results = await Promise.allSettled(entries.map(ship));
    const shipped = entries.filter((_entry, index) => results[index]?.status === 'fulfilled');
    await markShipped(
      sql,
      schema,
      shipped.map(({ id }) => id),
    );
    for (const [index, { id }] of entries.entries()) {
      const result = results[index];
      if (result?.status !== 'rejected' || isOutage(result.reason)) continue;
      logger.warn({ err: result.reason, entry: id }, 'an outbox entry could not be shipped');
      await markFailed(sql, schema, id, String(result.reason).slice(0, 500));
    }
    return shipped.length;
  }

  /** @returns whether there may be more */
  const pass = (): Promise<boolean> =>
    sql.begin(async (sql) => (await lockOutbox(sql, schema)) && (await shipBatch(sql)) > 0);

  const sweep = (): Promise<void> =>
    sql.begin(async (sql) => {
      if (!(await lockOutbox(sql, schema))) return;
      for (const look of sweeps) await look().catch((err: unknown) => logger.warn({ err }, 'a sweep failed'));
    });

  return {
    /**
     * Ships what can be shipped now, once the relay has ended the pass it is in.
     * @returns how many entries
     *
     * Safe to retry: a repeated shipment is harmless.
     */
    async tickOutbox(): Promise<number> {
      return sql.begin(async (sql) => {
        await waitForOutbox(sql, schema);
        return shipBatch(sql);
      });
    },

    /**
     * Ships what is in the outbox, in order per aggregate, for as long as its worker lives: the one activity that
     * loops. Each pass holds an advisory lock, so that a relay thought dead and its successor do not mix.
     *
     * Safe to retry: an entry counts as shipped once that is committed, and a repeated shipment is harmless.
     */
    async relayOutbox(): Promise<void> {
      const ended = AbortSignal.any([cancellationSignal(), stopping]);
      const isOver = () => ended.aborted;
      let nap = new AbortController();
      const listening = await sql.listen(outboxChannel(schema), () => nap.abort());
      try {
        let sweepAt = Date.now();
        while (!isOver()) {
          // Before the look: a notification during it means another look.
          nap = new AbortController();
          while ((await pass()) && !isOver());
          if (Date.now() >= sweepAt) {
            await sweep();
            sweepAt = Date.now() + sweepEveryMs;
          }
          const signal = AbortSignal.any([nap.signal, ended]);
          await sleep(pollEveryMs, undefined, { signal }).catch(() => undefined);
        }
      } finally {
        await listening.unlisten();
      }
    },
  };
};

export type OutboxActivities = ReturnType<typeof createOutboxActivities>;

const outageCodes = new Set([4, 8, 10, 14]); // DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, UNAVAILABLE

/** Temporal itself is away or too busy: no entry's fault, so none is counted for it. */
function isOutage(error: unknown): boolean {
  const fault = isGrpcServiceError(error) ? error : (error as { cause?: unknown } | undefined)?.cause;
  return isGrpcServiceError(fault) && outageCodes.has(fault.code);
}
