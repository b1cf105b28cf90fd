import type { EmrEnvelope } from '../../domain/bridge/emr-events.js';
import { unsignedWebhookLimits } from '../../domain/retention/ages.js';
import { first, type Queryable } from '../client.js';

/** A logged webhook of the EMR (page 3, Ingress), without its body. */
export interface WebhookEntry {
  id: string;
  receivedAt: Date;
  signatureValid: boolean;
  signatureHeader: string | null;
  resourceType: string | null;
  resourceId: string | null;
  emrEventName: string | null;
  emrEventTimestamp: Date | null;
  dispatchedOutboxId: string | null;
  /** Only the start of the body is stored (D94). */
  truncated: boolean;
  /** When the body was overwritten because its patient was erased (D94). */
  erasedAt: Date | null;
}
export interface WebhookEvent extends WebhookEntry {
  rawBody: Buffer;
}

/**
 * Webhooks with the same bytes that are stored and have an event (D164). Several are no fault: an EMR may only say that a
 * record has changed, each time in the same words.
 */
const maxRepeats = 20;

/**
 * Stores a signed webhook before it is validated, unless the same bytes have been stored and judged so often (D164).
 * @returns undefined if it was not stored
 */
export async function insertWebhook(
  sql: Queryable,
  { rawBody, signatureHeader }: { rawBody: Buffer; signatureHeader: string },
): Promise<{ id: string; receivedAt: Date } | undefined> {
  const [row] = await sql<{ id: string; receivedAt: Date }[]>`
    insert into bridge.emr_webhook_events (raw_body, signature_header)
    select ${rawBody}, ${signatureHeader}
    where ${maxRepeats} > (
      select count(*) from (
        select from bridge.emr_webhook_events
        where signature_valid and signature_header = ${signatureHeader}
        limit ${maxRepeats}
      ) as earlier
    )
    returning id, received_at
  `;
  return row;
}

/** The first webhook with this signature, and so with the same bytes, that was judged. */
export const findFirstWebhook = (sql: Queryable, signatureHeader: string) =>
  first(sql<Pick<WebhookEntry, 'id'>[]>`
    select id
    from bridge.emr_webhook_events
    where signature_valid and signature_header = ${signatureHeader}
    order by received_at, id
    limit 1
  `);

/**
 * Stores the start of an unsigned webhook, up to an hourly limit per sender (D94). The database counts for all
 * processes.
 * @param address keyed hash of the sender's network address
 * @returns the row's id; undefined when the limit was reached
 */
export async function insertUnsignedWebhook(
  sql: Queryable,
  { rawBody, signatureHeader, address }: { rawBody: Buffer; signatureHeader: string | null; address: string },
): Promise<string | undefined> {
  const { bytes, perHour } = unsignedWebhookLimits;
  const [row] = await sql<{ id: string }[]>`
    with counted as (
      insert into bridge.unsigned_webhooks as counter (address, hour)
      values (${address}, date_trunc('hour', now()))
      on conflict (address, hour) do update set kept = counter.kept + 1 where counter.kept < ${perHour}
      returning 1
    )
    insert into bridge.emr_webhook_events (raw_body, signature_header, truncated)
    select ${rawBody.subarray(0, bytes)}, ${signatureHeader?.slice(0, bytes) ?? null}, ${rawBody.length > bytes}
    from counted
    returning id
  `;
  return row?.id;
}

export async function markSignatureValid(sql: Queryable, id: string): Promise<void> {
  await sql`update bridge.emr_webhook_events set signature_valid = true where id = ${id}`;
}

/** Links a valid webhook to its event. */
export async function markDispatched(
  sql: Queryable,
  { webhookEventId, resourceType, resourceId, emrEventName, emrEventTimestamp }: EmrEnvelope,
  outboxId: string,
): Promise<void> {
  await sql`
    update bridge.emr_webhook_events set
      signature_valid = true, resource_type = ${resourceType}, resource_id = ${resourceId},
      emr_event_name = ${emrEventName}, emr_event_timestamp = ${emrEventTimestamp},
      dispatched_outbox_id = ${outboxId}
    where id = ${webhookEventId}
  `;
}

/** Locks an aggregate until the transaction ends, which orders its events. */
export async function lockAggregate(sql: Queryable, aggregateId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bridge ${aggregateId}`}, 0))`;
}

export interface WebhookFilter {
  valid?: boolean | undefined;
  resourceType?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** The last entry of the previous page. */
  before?: { receivedAt: Date; id: string } | undefined;
  limit: number;
}

/** Newest first. */
export async function listWebhooks(sql: Queryable, filter: WebhookFilter): Promise<WebhookEntry[]> {
  const { valid, resourceType, from, to, before, limit } = filter;
  return sql<WebhookEntry[]>`
    select ${columns(sql)}
    from bridge.emr_webhook_events
    where true
      ${valid === undefined ? sql`` : sql`and signature_valid = ${valid}`}
      ${resourceType === undefined ? sql`` : sql`and resource_type = ${resourceType}`}
      ${from === undefined ? sql`` : sql`and received_at >= ${from}`}
      ${to === undefined ? sql`` : sql`and received_at <= ${to}`}
      ${before === undefined ? sql`` : sql`and (received_at, id) < (${before.receivedAt}, ${before.id}::uuid)`}
    order by received_at desc, id desc
    limit ${limit}
  `;
}

export const findWebhook = (sql: Queryable, id: string) =>
  first(sql<WebhookEvent[]>`
    select ${columns(sql)}, raw_body
    from bridge.emr_webhook_events
    where id = ${id}
  `);

const columns = (sql: Queryable) => sql`
  id, received_at, signature_valid, signature_header, resource_type, resource_id, emr_event_name,
  emr_event_timestamp, dispatched_outbox_id, truncated, erased_at
`;
