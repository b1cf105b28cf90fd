import type { ChannelResult, NotificationStatus } from '../../domain/notification/notification.js';
import type { Queryable } from '../client.js';

/** A message without its text and recipient. */
export interface Message {
  at: Date;
  notificationType: string;
  channels: ChannelResult[];
  /** null while the channels are being tried. */
  status: NotificationStatus | null;
}

/** The log entries that exist, and those that sent them again (D111, D135). */
export const listMessages = (sql: Queryable, ids: readonly string[]) =>
  sql<Message[]>`
    select coalesce(finished_at, created_at) as at, notification_type, channels, status
    from notification.delivery
    where id = any(${sql.array([...ids])}::uuid[]) or again_of = any(${sql.array([...ids])}::uuid[])
    order by at
  `;
