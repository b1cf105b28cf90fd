import type { EndpointState } from '../../domain/orchestrator/event-endpoints.js';
import { first, type Queryable, type Sql } from '../client.js';
import { closeWorkItem } from '../work-items.js';
import { findNewestSequence, lockNumbers, numberEvents, signalDelivery } from './events.js';

/** Where a client's events are delivered (D130). */
export interface EventEndpoint {
  url: string;
  /** As the client named them; null: all. */
  types: string[] | null;
  state: EndpointState;
  /** Sequence. */
  deliveredUpTo: number;
  failingSince: Date | null;
  lastError: string | null;
}

/** An endpoint whose key is revoked is disabled. */
export const findEndpoint = (sql: Queryable, client: string) =>
  first(sql<EventEndpoint[]>`
    select url, types, case when key.is_active then state else 'disabled' end as state,
      delivered_up_to::float8, failing_since, last_error
    from orchestrator.event_endpoint endpoint
    left join access.api_key key on key.id = key_id
    where endpoint.client = ${client}
  `);

interface NewEndpoint {
  client: string;
  url: string;
  types: readonly string[] | null;
  state: 'enabled' | 'disabled';
  /** Signs the deliveries. */
  keyId: string;
}

/**
 * Sets a client's endpoint. A new one begins after the newest event; a changed one continues where it stopped. Other
 * types make another delivery of what was under way.
 */
export async function putEndpoint(sql: Sql, endpoint: NewEndpoint): Promise<EventEndpoint | undefined> {
  const { client, url, state, keyId } = endpoint;
  const types = endpoint.types && sql.array([...endpoint.types]);
  // An event that commits before this request is older than the endpoint.
  await numberEvents(sql);
  return sql.begin(async (sql) => {
    await lockNumbers(sql);
    await sql`
      insert into orchestrator.event_endpoint as known (client, url, types, key_id, state, delivered_up_to)
      values (${client}, ${url}, ${types}::text[], ${keyId}, ${state}, ${await findNewestSequence(sql, client)})
      on conflict (client) do update set
        url = excluded.url, types = excluded.types, key_id = excluded.key_id, state = excluded.state,
        failing_since = case when known.state <> 'disabled' and known.url = excluded.url then known.failing_since end,
        batch_id = case when known.types is not distinct from excluded.types then known.batch_id end,
        attempts = 0, next_attempt_at = null, series = known.series + 1, changed_at = now()
    `;
    if (state === 'disabled') await closeWorkItem(sql, 'orchestrator', failingItem(client));
    await signalDelivery(sql, client);
    return findEndpoint(sql, client);
  });
}

/** Removes a client's endpoint. @returns whether there was one */
export const removeEndpoint = (sql: Sql, client: string): Promise<boolean> =>
  sql.begin(async (sql) => {
    const { count } = await sql`delete from orchestrator.event_endpoint where client = ${client}`;
    if (count === 0) return false;
    await closeWorkItem(sql, 'orchestrator', failingItem(client));
    await signalDelivery(sql, client);
    return true;
  });

/**
 * Makes an endpoint try at once, and enables it.
 * @param after the sequence after which it continues; where it stopped if omitted
 * @returns undefined without one; the endpoint of a revoked key stays disabled
 */
export const resumeEndpoint = (
  sql: Sql,
  client: string,
  after?: number,
): Promise<EventEndpoint | undefined> =>
  sql.begin(async (sql) => {
    await sql`
      update orchestrator.event_endpoint set
        ${after === undefined ? sql`` : sql`delivered_up_to = ${after}, batch_id = null,`}
        failing_since = case when state <> 'disabled' then failing_since end, state = 'enabled',
        attempts = 0, next_attempt_at = null, series = series + 1, changed_at = now()
      where client = ${client}
    `;
    const endpoint = await findEndpoint(sql, client);
    if (endpoint) await signalDelivery(sql, client);
    return endpoint;
  });

/** Disables an endpoint (D130). Nothing is lost: it keeps its position. */
export const disableEndpoint = (sql: Sql, client: string): Promise<void> =>
  sql.begin(async (sql) => {
    await sql`
      update orchestrator.event_endpoint set state = 'disabled', changed_at = now() where client = ${client}
    `;
    await closeWorkItem(sql, 'orchestrator', failingItem(client));
    await signalDelivery(sql, client);
  });

/** The work item of an endpoint that fails; the workflow's id names the endpoint. */
export const failingItem = (client: string) =>
  ({ kind: 'endpoint_failing', fact: `endpoint:${client}` }) as const;

/** Endpoints that are overdue: their run may be gone. */
export async function listOverdueEndpoints(
  sql: Queryable,
  { overdueSeconds, limit }: { overdueSeconds: number; limit: number },
): Promise<string[]> {
  const rows = await sql<{ client: string }[]>`
    select client
    from orchestrator.event_endpoint
    join orchestrator.client_stream stream using (client)
    where state <> 'disabled' and delivered_up_to < last_sequence
      and greatest(changed_at, next_attempt_at) < now() - ${overdueSeconds} * interval '1 second'
    order by changed_at
    limit ${limit}
  `;
  return rows.map(({ client }) => client);
}
