import type { AccessEvent } from '../../domain/access-events.js';
import type { ChannelResult, NotificationStatus } from '../../domain/notification/notification.js';
import type { ChannelName } from '../../domain/notification/notification-channels.js';
import type { NotificationType } from '../../domain/notification/notification-types.js';
import { noted } from '../access/access-events.js';
import type { Queryable } from '../client.js';

export interface NewDelivery {
  id: string;
  clientId: string;
  bodyHash: string;
  notificationType: NotificationType;
  recipientEmail: string | null;
  recipientPhone: string | null;
  missingVariables: string[];
  askedChannels: ChannelName[];
}

export interface ClaimedDelivery {
  bodyHash: string;
  channels: ChannelResult[];
  /** null until the channels have been tried. */
  status: NotificationStatus | null;
}

/**
 * Makes the log entry of a notification, or finds the one that is there; the first body stays.
 * @param access noted with an entry that is made
 */
export async function claimDelivery(
  sql: Queryable,
  delivery: NewDelivery,
  access?: AccessEvent,
): Promise<ClaimedDelivery> {
  const [claimed] = await sql<ClaimedDelivery[]>`
    with made as (
      insert into notification.delivery ${sql(delivery)}
      on conflict (id) do nothing
      returning body_hash, channels, status
    )
    ${access ? sql`, ${noted(sql, access, 'made')}` : sql``}
    select body_hash, channels, status from made
    union all
    select body_hash, channels, status from notification.delivery where id = ${delivery.id}
    limit 1
  `;
  // Made and committed by another attempt while this statement ran: the next one sees it.
  if (!claimed) throw new Error(`The log entry ${delivery.id} is being made`);
  return claimed;
}

/** Records how the channels fared; a second time changes nothing. */
export async function finishDelivery(
  sql: Queryable,
  id: string,
  channels: readonly ChannelResult[],
  status: NotificationStatus,
): Promise<void> {
  await sql`
    update notification.delivery
    set channels = ${sql.json(channels as never)}, status = ${status}, finished_at = now()
    where id = ${id} and status is null
  `;
}

/** Entries whose channels are still being tried, or whose run was ended before it could say so. */
export async function listOpenDeliveries(
  sql: Queryable,
  olderThanSeconds: number,
): Promise<{ id: string; askedChannels: ChannelName[] }[]> {
  return sql<{ id: string; askedChannels: ChannelName[] }[]>`
    select id, asked_channels
    from notification.delivery
    where status is null and created_at < now() - make_interval(secs => ${olderThanSeconds})
    order by created_at
    limit 100
  `;
}

export interface DeliveryEntry {
  id: string;
  notificationType: NotificationType;
  recipientEmail: string | null;
  recipientPhone: string | null;
  channels: ChannelResult[];
  status: NotificationStatus;
  missingVariables: string[];
  createdAt: Date;
}

export interface DeliveryFilter {
  type?: NotificationType | undefined;
  /** An e-mail address in any case of its letters, or a phone number as the sender wrote it. */
  recipient?: string | undefined;
  status?: NotificationStatus | undefined;
  /** Both ends included, to the millisecond that an entry shows. */
  from?: Date | undefined;
  to?: Date | undefined;
  /** The entry after which the page begins. */
  after?: string | undefined;
  limit: number;
}

/** Notifications whose channels have been tried, newest first. */
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
      ${
        after === undefined
          ? sql``
          : sql`and (created_at, id) < (select created_at, id from notification.delivery where id = ${after})`
      }
    order by created_at desc, id desc
    limit ${limit}
  `;
}
