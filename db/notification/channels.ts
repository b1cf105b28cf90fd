import type { ConfigurableChannel } from '../../domain/notification-channels.js';
import type { NotificationType } from '../../domain/notification-types.js';
import type { Queryable } from '../client.js';

export type ChannelConfig = Record<ConfigurableChannel, boolean>;

/** Which channels a type uses when the sender names none. */
export async function findChannelConfig(
  sql: Queryable,
  type: NotificationType,
): Promise<ChannelConfig | undefined> {
  const [config] = await sql<ChannelConfig[]>`
    select email, sms, crm, chat from notification.channel_config where type = ${type}
  `;
  return config;
}
