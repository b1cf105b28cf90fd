import {
  type ClientEvent,
  type EventType,
  fieldsOf,
  type NewEvent,
} from '../../domain/orchestrator/events.js';
import { ownTaskId } from '../../domain/clients.js';
import { endpointDue } from '../../domain/events.js';
import type { Fragment, Queryable, Sql } from '../client.js';
import { appendToOutbox } from '../outbox.js';

/** Records an event in the transaction of its fact (D129). It gets its number after the commit. */
export const recordEvent = (sql: Queryable, event: NewEvent): Promise<void> => recordEvents(sql, [event]);

/** Records events in their order, in one statement. */
export async function recordEvents(sql: Queryable, events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0) await sql`${insertEvents(sql, events)}`;
}

/** References as the client knows them. */
const knownData = (data: object) =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? ownTaskId(value) : value,
    ]),
  ) as NewEvent['data'];

/**
 * An insert of events, also as a part of the statement that writes their fact.
 * @param from `data`: an object that is added to that of each event; without it nothing is recorded
 */
export const insertEvents = (
  sql: Queryable,
  events: readonly NewEvent[],
  from?: { data: Fragment },
): Fragment => {
  const rows = events.map(({ type, taskId, planId = null, fact = null, data }) => ({
    type,
    task_id: taskId,
    plan_id: planId,
    fact,
    data: knownData(data),
  }));
  return sql`
    insert into orchestrator.client_event (client, type, task_id, plan_id, fact, data)
    select
      -- the key of a named client's task says whose it is (D140)
      case
        when strpos(owner.task_id, chr(31)) > 0 then split_part(owner.task_id, chr(31), 1)
        else orchestrator.client_of(owner.task_id, plan_id)
      end,
      type,
      substr(owner.task_id, strpos(owner.task_id, chr(31)) + 1),
      -- the schedule of a plan has its id (D125)
      coalesce(plan_id, (
        select id from orchestrator.plan
        where id = substring(owner.task_id from '^refill-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$')::uuid
      )),
      fact,
      data ${from ? sql`|| added.object` : sql``}
    from jsonb_to_recordset(${sql.json(rows)}::jsonb)
      as event (type text, task_id text, plan_id uuid, fact text, data jsonb)
    cross join lateral (select orchestrator.task_of(event.task_id) as task_id) as owner
    ${from ? sql`cross join (select ${from.data} as object) as added where added.object is not null` : sql``}
    on conflict (client, fact) do nothing
  `;
};

/** Events numbered by one statement. */
const batchSize = 1_000;

/**
 * Numbers committed events by client in the order of their facts, under a lock (D129), and signals their endpoints.
 * @returns the clients that have new ones; more may be left
 */
export async function numberEvents(sql: Sql, limit = batchSize): Promise<string[]> {
  // Most looks find nothing, and need no lock to see it.
  const [{ some } = { some: false }] = await sql<{ some: boolean }[]>`
    select exists (select from orchestrator.client_event where sequence is null) as some
  `;
  if (!some) return [];
  return sql.begin(async (sql) => {
    await lockNumbers(sql);
    const numbered = await sql<{ client: string; hasEndpoint: boolean }[]>`
      with waiting as (
        select id, client, row_number() over (partition by client order by position) as n
        from (
          select id, client, position from orchestrator.client_event where sequence is null
          order by position limit ${limit}
        ) as oldest
      ), streams as (
        insert into orchestrator.client_stream as stream (client, last_sequence)
        select client, count(*) from waiting group by client
        on conflict (client) do update set last_sequence = stream.last_sequence + excluded.last_sequence
        returning client, last_sequence
      ), numbered as (
        update orchestrator.client_event as event
        set sequence = streams.last_sequence - (select count(*) from waiting where client = streams.client) + waiting.n
        from waiting join streams using (client)
        where event.id = waiting.id
      )
      select client,
        exists (
          select from orchestrator.event_endpoint endpoint where endpoint.client = streams.client and state <> 'disabled'
        ) as has_endpoint
      from streams
    `;
    for (const { client, hasEndpoint } of numbered) if (hasEndpoint) await signalDelivery(sql, client);
    return numbered.map(({ client }) => client);
  });
}

/** Keeps numbers from being given until the transaction ends. The next statement sees what the last holder has numbered. */
export async function lockNumbers(sql: Queryable): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('numbers of client events', 0))`;
}

/** Makes the run that delivers a client's events look, in the transaction of the change (D130). */
export const signalDelivery = (sql: Queryable, client: string): Promise<void> =>
  appendToOutbox(sql, 'orchestrator', {
    detailType: endpointDue,
    aggregateId: `endpoint:${client}`,
    detail: { client },
  });

export interface EventQuery {
  client: string;
  /** Exclusive. */
  after: number;
  types?: readonly EventType[] | undefined;
  taskId?: string | undefined;
  limit: number;
}

export interface EventPage {
  events: ClientEvent[];
  /** The last sequence looked at. */
  nextAfter: number;
  /** Events after `after` were deleted by their age. */
  isTruncated: boolean;
}

/** Sequences that one page looks at, so that a filter that matches little stays cheap. */
const window = 20_000;

/** A client's events by sequence. */
export async function listEvents(
  sql: Queryable,
  { client, after, types, taskId, limit }: EventQuery,
): Promise<EventPage> {
  // One statement, so that the last number and the events are of one snapshot.
  const rows = await sql<
    (Omit<ClientEvent, 'at' | 'id' | 'data'> & {
      id: string | null;
      at: Date;
      data: Record<string, unknown>;
      last: number;
      oldest: number | null;
    })[]
  >`
    with known as (
      select coalesce((select last_sequence from orchestrator.client_stream where client = ${client}), 0) as last,
        (
          select sequence from orchestrator.client_event where client = ${client} and sequence is not null
          order by sequence limit 1
        ) as oldest
    )
    select known.last::float8, known.oldest::float8, page.*
    from known
    left join lateral (
      select id, sequence::float8, type, at, task_id, plan_id, data
      from orchestrator.client_event as event
      where client = ${client} and event.sequence > ${after}
        and event.sequence <= greatest(${after}, coalesce(known.oldest, 1) - 1) + ${window}
        ${types ? sql`and type = any(${sql.array([...types])}::text[])` : sql``}
        ${taskId === undefined ? sql`` : sql`and task_id = ${taskId}`}
      order by event.sequence
      limit ${limit}
    ) as page on true
    order by page.sequence
  `;
  const { last = 0, oldest = null } = rows[0] ?? {};
  const events = rows.flatMap(({ id, sequence, type, at, taskId, planId, data }) =>
    id === null
      ? []
      : [
          {
            id,
            sequence,
            type,
            at: at.toISOString(),
            taskId,
            planId,
            data: fieldsOf(type, data),
          } as ClientEvent,
        ],
  );
  const first = oldest ?? last + 1;
  const looked = Math.min(last, Math.max(after, first - 1) + window);
  const full = events.length === limit ? events.at(-1)?.sequence : undefined;
  return { events, nextAfter: Math.max(after, full ?? looked), isTruncated: first > after + 1 };
}

/** True if a client has an event with this sequence. */
export async function hasSequence(sql: Queryable, client: string, sequence: number): Promise<boolean> {
  const found = await sql`
    select from orchestrator.client_event where client = ${client} and sequence = ${sequence}
  `;
  return found.length > 0;
}

/** The sequence of a client's newest event; 0 without any. */
export async function findNewestSequence(sql: Queryable, client: string): Promise<number> {
  const [stream] = await sql<{ last: number }[]>`
    select last_sequence::float8 as last from orchestrator.client_stream where client = ${client}
  `;
  return stream?.last ?? 0;
}
