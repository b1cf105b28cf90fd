import { randomUUID } from 'node:crypto';
import { eventsPerDelivery, judgeFailedBatch } from '../../domain/orchestrator/event-endpoints.js';
import { typesNamed } from '../../domain/orchestrator/events.js';
import { first, type Queryable, type Sql } from '../client.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';
import { type EventEndpoint, failingItem } from './event-endpoints.js';
import { listEvents } from './events.js';

/** The delivery that an endpoint has to take next. */
export interface FixedBatch {
  /** The same for every attempt. */
  batchId: string;
  events: number;
  /** The sequence that it reaches, filtered events included. */
  upTo: number;
  series: number;
  /** Failed attempts of this series. */
  attempts: number;
  /** null: at once. */
  nextAttemptAt: Date | null;
  failingSince: Date | null;
  lastError: string | null;
}

type Row = EventEndpoint & { [K in keyof FixedBatch]: FixedBatch[K] | null } & { isKeyActive: boolean };

/**
 * Fixes the next delivery of an endpoint, unless one is under way (D130). Passes over events of other types.
 * @returns undefined when nothing is to deliver, or the endpoint is disabled
 */
export async function fixNextBatch(sql: Sql, client: string): Promise<FixedBatch | undefined> {
  for (;;) {
    const next = await sql.begin((sql) => fixOrPass(sql, client));
    if (next !== 'passed') return next;
  }
}

async function fixOrPass(sql: Queryable, client: string): Promise<FixedBatch | 'passed' | undefined> {
  const [endpoint] = await sql<Row[]>`
    select url, types, state, delivered_up_to::float8, failing_since, last_error, series, attempts,
      next_attempt_at, batch_id, batch_events as events, batch_up_to::float8 as up_to,
      coalesce((select is_active from access.api_key where id = key_id), false) as is_key_active
    from orchestrator.event_endpoint
    where client = ${client}
    for update
  `;
  if (!endpoint || endpoint.state === 'disabled') return undefined;
  if (!endpoint.isKeyActive) {
    await sql`
      update orchestrator.event_endpoint set state = 'disabled', changed_at = now() where client = ${client}
    `;
    await closeWorkItem(sql, 'orchestrator', failingItem(client));
    return undefined;
  }
  if (endpoint.batchId !== null) return endpoint as FixedBatch;
  const { deliveredUpTo: after, types } = endpoint;
  const named = types === null ? undefined : typesNamed(types);
  const { events, nextAfter } = await listEvents(sql, {
    client,
    after,
    types: named,
    limit: eventsPerDelivery,
  });
  if (events.length > 0) {
    const batchId = randomUUID();
    await sql`
      update orchestrator.event_endpoint set
        batch_id = ${batchId}, batch_events = ${events.length}, batch_up_to = ${nextAfter},
        batch_body = ${JSON.stringify({ events })}, changed_at = now()
      where client = ${client}
    `;
    return { ...(endpoint as FixedBatch), batchId, events: events.length, upTo: nextAfter };
  }
  if (nextAfter === after) return undefined;
  await sql`
    update orchestrator.event_endpoint set delivered_up_to = ${nextAfter}, changed_at = now()
    where client = ${client}
  `;
  return 'passed';
}

/** What is sent. @returns undefined when it is delivered, rewound or disabled by now */
export const findBatch = (sql: Queryable, { client, batchId }: { client: string; batchId: string }) =>
  first(sql<{ url: string; keyId: string; body: string }[]>`
    select url, key_id, batch_body as body from orchestrator.event_endpoint
    where client = ${client} and batch_id = ${batchId} and state <> 'disabled'
  `);

/** Where a test event goes. @returns undefined without an endpoint */
export const findReceiver = (sql: Queryable, client: string) =>
  first(sql<{ url: string; keyId: string }[]>`
    select url, key_id from orchestrator.event_endpoint where client = ${client}
  `);

/** A receiver has taken a delivery. A rewind that came meanwhile keeps its position. */
export const recordTaken = (
  sql: Sql,
  { client, batchId }: { client: string; batchId: string },
): Promise<void> =>
  sql.begin(async (sql) => {
    const { count } = await sql`
      update orchestrator.event_endpoint set
        delivered_up_to = batch_up_to, batch_id = null, batch_body = null, attempts = 0, next_attempt_at = null,
        failing_since = null, last_error = null, state = case when state = 'failing' then 'enabled' else state end,
        changed_at = now()
      where client = ${client} and batch_id = ${batchId}
    `;
    if (count > 0) await closeWorkItem(sql, 'orchestrator', failingItem(client));
  });

export interface FailedBatch {
  client: string;
  batchId: string;
  series: number;
  /** Attempts of this series, this one included. */
  attempts: number;
  /** ISO 8601. */
  at: string;
  status: number | null;
  error: string;
}

/**
 * A receiver has not taken a delivery. A request to try at once that came meanwhile takes precedence. Tells a person when it
 * has failed for long, and when it is given up (D130).
 */
export const recordNotTaken = (
  sql: Sql,
  { failingAfterMs, ...failed }: FailedBatch & { failingAfterMs: number },
): Promise<void> =>
  sql.begin(async (sql) => {
    const { client, batchId, series, attempts, error, status } = failed;
    const [before] = await sql<{ state: string; failingSince: Date | null; keyId: string }[]>`
      select state, failing_since, key_id from orchestrator.event_endpoint
      where client = ${client} and batch_id = ${batchId} and series = ${series} and state <> 'disabled'
      for update
    `;
    if (!before) return;
    const at = Date.parse(failed.at);
    const failingSince = before.failingSince?.getTime() ?? at;
    const judged = { attempts, failingSince, at, failingAfterMs, random: Math.random() };
    const { state, nextAttemptAt } = judgeFailedBatch(judged);
    await sql`
      update orchestrator.event_endpoint set
        state = ${state}, attempts = ${attempts}, failing_since = ${new Date(failingSince)}, last_error = ${error},
        next_attempt_at = ${new Date(nextAttemptAt)}, changed_at = now()
      where client = ${client}
    `;
    if (state === 'enabled' || state === before.state) return;
    await openWorkItem(sql, 'orchestrator', {
      ...failingItem(client),
      reason: state === 'disabled' ? 'given_up' : status === null ? 'unanswered' : 'refused',
      references: { keyId: before.keyId, ...(client && { client }) },
      workflowId: failingItem(client).fact,
      replacesReason: state === 'disabled',
    });
  });
