import type { AccessEvent } from '../../domain/access-events.js';
import type {
  ChannelResult,
  Notification,
  NotificationStatus,
} from '../../domain/notification/notification.js';
import type { ChannelName } from '../../domain/notification/notification-channels.js';
import type { NotificationType } from '../../domain/notification/notification-types.js';
import { noted } from '../access/access-events.js';
import { first, pageAfter, type Queryable } from '../client.js';

export interface NewDelivery {
  id: string;
  clientId: string;
  bodyHash: string;
  notificationType: NotificationType;
  recipientEmail: string | null;
  recipientPhone: string | null;
  missingVariables: string[];
  askedChannels: ChannelName[];
  /** As JSON, to send it again (D135); null for a type that nobody sends again. */
  variables: string | null;
  /** The message that this one sends again. */
  againOf: string | null;
  /** The notification that the request handler tries; null when a workflow sends it (D113). */
  firstTry: Notification | null;
}

export interface ClaimedDelivery {
  /** This claim created the entry. */
  isMade: boolean;
  isFirstTry: boolean;
  bodyHash: string;
  /** While open: the results of the first try. */
  channels: ChannelResult[];
  /** null until all channels were tried. */
  status: NotificationStatus | null;
}

/**
 * Creates the log entry of a notification or finds it; the first body stays.
 * @param access recorded when the entry is created
 */
export async function claimDelivery(
  sql: Queryable,
  delivery: NewDelivery,
  access?: AccessEvent,
): Promise<ClaimedDelivery> {
  const { firstTry } = delivery;
  const entry = { ...delivery, firstTry: firstTry && sql.json(firstTry as never) };
  const [claimed] = await sql<ClaimedDelivery[]>`
    with made as (
      insert into notification.delivery ${sql(entry)}
      on conflict (id) do nothing
      returning body_hash, channels, status, first_try
    )
    ${access ? sql`, ${noted(sql, access, 'made')}` : sql``}
    select true as is_made, first_try is not null as is_first_try, body_hash, channels, status from made
    union all
    select false, first_try is not null, body_hash, channels, status
    from notification.delivery where id = ${delivery.id}
    limit 1
  `;
  // Another attempt committed the entry while this statement ran: a retry sees it.
  if (!claimed) throw new Error(`The log entry ${delivery.id} is being made`);
  return claimed;
}

/** A message that can be sent again. */
export interface Repeatable {
  id: string;
  notificationType: NotificationType;
  /** As JSON. */
  variables: string;
  againOf: string | null;
}

/** The newest of a client's messages among these, and those that sent them again (D135). */
export const findNewestRepeatable = (sql: Queryable, clientId: string, ids: readonly string[]) =>
  first(sql<Repeatable[]>`
    select id, notification_type, variables, again_of
    from notification.delivery
    where (id = any(${sql.array([...ids])}::uuid[]) or again_of = any(${sql.array([...ids])}::uuid[]))
      and client_id = ${clientId} and variables is not null
    order by created_at desc, id desc
    limit 1
  `);

/** The message with which a request sends one again. */
export const findRepeat = (sql: Queryable, id: string) =>
  first(sql<Repeatable[]>`
    select id, notification_type, variables, again_of from notification.delivery
    where id = ${id} and variables is not null
  `);

/** From now on a workflow sends it, from its own input. */
export async function handToRun(sql: Queryable, id: string): Promise<void> {
  await sql`update notification.delivery set first_try = null where id = ${id}`;
}

/** Records the result of one channel, so that a workflow that takes over skips it. */
export async function noteChannel(sql: Queryable, id: string, result: ChannelResult): Promise<void> {
  await sql`
    update notification.delivery set channels = channels || ${sql.json([result] as never)}
    where id = ${id} and status is null
  `;
}

/** Idempotent. */
export async function finishDelivery(
  sql: Queryable,
  id: string,
  channels: readonly ChannelResult[],
  status: NotificationStatus,
): Promise<void> {
  await sql`
    update notification.delivery
    set channels = ${sql.json(channels as never)}, status = ${status}, finished_at = now(), first_try = null
    where id = ${id} and status is null
  `;
}

/** Entries without a result: still being sent, or their process or workflow is gone. */
export const listOpenDeliveries = (
  sql: Queryable,
  { runSeconds, firstTrySeconds }: { runSeconds: number; firstTrySeconds: number },
) =>
  sql<{ id: string; askedChannels: ChannelName[]; firstTry: Notification | null }[]>`
    select id, asked_channels, first_try
    from notification.delivery
    where status is null and created_at <
      now() - make_interval(secs => case when first_try is null then ${runSeconds}::int else ${firstTrySeconds}::int end)
    order by created_at
    limit 100
  `;

export type DeliveryEntry = Pick<
  NewDelivery,
  'id' | 'notificationType' | 'recipientEmail' | 'recipientPhone' | 'missingVariables'
> & { channels: ChannelResult[]; status: NotificationStatus; createdAt: Date };

export interface DeliveryFilter {
  type?: NotificationType | undefined;
  /** An e-mail address in any case, or a phone number as the sender wrote it. */
  recipient?: string | undefined;
  status?: NotificationStatus | undefined;
  /** Inclusive, to the millisecond. */
  from?: Date | undefined;
  to?: Date | undefined;
  /** The last entry of the previous page. */
  after?: string | undefined;
  limit: number;
}

/** Finished notifications, newest first. */
export async function listDeliveries(sql: Queryable, filter: DeliveryFilter): Promise<DeliveryEntry[]> {
  const { type, recipient, status, from, to, after, limit } = filter;
  return sql<DeliveryEntry[]>`
    select id, notification_type, recipient_email, recipient_phone, channels, status, missing_variables, created_at
    from notification.delivery
    where ${status === undefined ? sql`status is not null` : sql`status = ${status}`}
      ${type === undefined ? sql`` : sql`and notification_type = ${type}`}
      ${
        recipient === undefined
          ? sql``
          : sql`and (lower(recipient_email) = lower(${recipient}) or recipient_phone = ${recipient})`
      }
      ${from === undefined ? sql`` : sql`and created_at >= ${from}`}
      ${to === undefined ? sql`` : sql`and created_at < ${to}::timestamptz + interval '1 millisecond'`}
      ${pageAfter(sql, 'notification.delivery', after)}
    order by created_at desc, id desc
    limit ${limit}
  `;
}
