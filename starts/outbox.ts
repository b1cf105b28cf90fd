import type { Client } from '@temporalio/client';
import { whileLocked } from '../db/advisory-lock.js';
import type { Queryable, Sql } from '../db/client.js';
import { claimEntries, markFailed, markShipped, outboxChannel, type OutboxEntry } from '../db/outbox.js';
import type { OutboxService } from '../db/redrive.js';
import {
  callbackQueued,
  cancellationPending,
  consumersOf,
  endpointDue,
  holdChanged,
  orderUnknown,
} from '../domain/events.js';
import type { Logger } from '../platform/logger.js';
import { isTemporalAway } from './runs.js';
import { recheckEndpoint } from './event-endpoints.js';
import { recheckEvents } from './events.js';
import { recheckCallbacks, recheckCancellation, recheckHold, recheckUnknownOrder } from './router.js';

export interface Outbox {
  sql: Sql;
  logger: Logger;
  schema: string;
  /** Starts or signals the runs of an entry; a repeat must be harmless. */
  ship: (entry: OutboxEntry) => Promise<unknown>;
}

/** Entries shipped concurrently, each of another aggregate. */
const batchSize = 100;
/** Bounds how long the lock is held while Temporal does not answer. */
const shipWithinMs = 10_000;

/** Signals the runs of all subscribers of an entry; some entries are for the service's own runs. */
export function outboxOf(
  { sql, logger, temporal }: { sql: Sql; logger: Logger; temporal: Client },
  service: OutboxService,
): Outbox {
  const signalRuns = (entry: OutboxEntry): Promise<unknown> => {
    const { detailType, source, aggregateId } = entry;
    switch (detailType) {
      case callbackQueued: {
        const { delayMs } = entry.detail as { delayMs?: number };
        return recheckCallbacks(temporal, aggregateId, delayMs);
      }
      case endpointDue:
        return recheckEndpoint(temporal, (entry.detail as { client: string }).client);
      case orderUnknown:
        return recheckUnknownOrder(temporal, aggregateId);
      case cancellationPending:
        return recheckCancellation(temporal, aggregateId);
      case holdChanged: {
        const { holdId } = entry.detail as { holdId: string };
        return recheckHold(temporal, { submissionId: aggregateId, holdId });
      }
      default:
        return Promise.all(
          consumersOf(entry).map((consumer) =>
            recheckEvents(temporal, service, { consumer, source, aggregateId }),
          ),
        );
    }
  };
  const ship = (entry: OutboxEntry) =>
    temporal.withDeadline(Date.now() + shipWithinMs, () => signalRuns(entry));
  return { sql, logger, schema: service, ship };
}

/**
 * Ships all entries that are ready, in order per aggregate, under a lock that keeps passes apart. A pass repeated
 * after a crash is harmless.
 * @param how whether to leave a running pass to its process or to wait for its end
 * @returns the number of shipped entries; more may be left unless it is 0
 * @throws a gRPC error when Temporal is unavailable, which counts against no entry
 */
export async function passOutbox(outbox: Outbox, how: 'try' | 'wait'): Promise<number> {
  const { sql, schema } = outbox;
  const passed = await whileLocked(sql, outboxChannel(schema), how, (sql) => shipBatch(sql, outbox));
  if (passed?.away !== undefined) throw passed.away as Error;
  return passed?.shipped ?? 0;
}

async function shipBatch(
  sql: Queryable,
  { schema, ship, logger }: Outbox,
): Promise<{ shipped: number; away?: unknown }> {
  const entries = await claimEntries(sql, schema, batchSize);
  const results = await Promise.allSettled(entries.map(ship));
  const shipped = entries.filter((_entry, index) => results[index]?.status === 'fulfilled');
  await markShipped(
    sql,
    schema,
    shipped.map(({ id }) => id),
  );
  let away: unknown;
  for (const [index, { id }] of entries.entries()) {
    const result = results[index];
    if (result?.status !== 'rejected') continue;
    if (isTemporalAway(result.reason)) {
      away = result.reason;
    } else {
      logger.warn({ err: result.reason, entry: id }, 'an outbox entry could not be shipped');
      await markFailed(sql, schema, id, String(result.reason).slice(0, 500));
    }
  }
  return { shipped: shipped.length, away };
}
