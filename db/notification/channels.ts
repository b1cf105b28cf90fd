import type { ConfigurableChannel } from '../../domain/notification/notification-channels.js';
import type { NotificationType } from '../../domain/notification/notification-types.js';
import { first, type Queryable } from '../client.js';

export type ChannelConfig = Record<ConfigurableChannel, boolean>;

export interface ChannelConfigRecord extends ChannelConfig {
  type: NotificationType;
}

/** The channels of a type when the sender names none. */
export const findChannelConfig = (sql: Queryable, type: NotificationType) =>
  first(sql<ChannelConfig[]>`
    select email, sms, crm, chat from notification.channel_config where type = ${type}
  `);

export const listChannelConfigs = (sql: Queryable) =>
  sql<ChannelConfigRecord[]>`
    select type, email, sms, crm, chat from notification.channel_config order by type
  `;

export const replaceChannelConfig = (
  sql: Queryable,
  type: NotificationType,
  { email, sms, crm, chat }: ChannelConfig,
  changedBy: string,
) =>
  first(sql<ChannelConfigRecord[]>`
    update notification.channel_config
    set email = ${email}, sms = ${sms}, crm = ${crm}, chat = ${chat},
      updated_at = now(), updated_by = ${changedBy}
    where type = ${type}
    returning type, email, sms, crm, chat
  `);
