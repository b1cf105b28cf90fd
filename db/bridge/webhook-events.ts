import type { EmrEnvelope } from '../../domain/bridge/emr-events.js';
import type { Queryable } from '../client.js';

/** A webhook of the EMR as it was logged (page 3, Ingress). */
export interface WebhookEvent {
  id: string;
  receivedAt: Date;
  signatureValid: boolean;
  rawBody: Buffer;
  signatureHeader: string | null;
  resourceType: string | null;
  resourceId: string | null;
  emrEventName: string | null;
  emrEventTimestamp: Date | null;
  dispatchedOutboxId: string | null;
}

/** Keeps a webhook before anything about it is judged. */
export async function insertWebhook(
  sql: Queryable,
  { rawBody, signatureHeader }: { rawBody: Buffer; signatureHeader: string | null },
): Promise<{ id: string; receivedAt: Date }> {
  const [row] = await sql<[{ id: string; receivedAt: Date }]>`
    insert into bridge.emr_webhook_events (raw_body, signature_header)
    values (${rawBody}, ${signatureHeader})
    returning id, received_at
  `;
  return row;
}

/** Its signature is right; nothing else is known of it yet. */
export async function markSignatureValid(sql: Queryable, id: string): Promise<void> {
  await sql`update bridge.emr_webhook_events set signature_valid = true where id = ${id}`;
}

/** Links a valid webhook to the event that was made of it. */
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

/** Makes events of one aggregate take turns, up to the end of the transaction: that is what gives them an order. */
export async function lockAggregate(sql: Queryable, aggregateId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bridge ${aggregateId}`}, 0))`;
}

export interface WebhookFilter {
  valid?: boolean | undefined;
  resourceType?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** The last one of the page before. */
  before?: { receivedAt: Date; id: string } | undefined;
  limit: number;
}

/** Newest first. */
export async function listWebhooks(sql: Queryable, filter: WebhookFilter): Promise<WebhookEvent[]> {
  const { valid, resourceType, from, to, before, limit } = filter;
  return sql<WebhookEvent[]>`
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

export async function findWebhook(sql: Queryable, id: string): Promise<WebhookEvent | undefined> {
  const [event] = await sql<WebhookEvent[]>`
    select ${columns(sql)}
    from bridge.emr_webhook_events
    where id = ${id}
  `;
  return event;
}

const columns = (sql: Queryable) => sql`
  id, received_at, signature_valid, raw_body, signature_header, resource_type, resource_id, emr_event_name,
  emr_event_timestamp, dispatched_outbox_id
`;
