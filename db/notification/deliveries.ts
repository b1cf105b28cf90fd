import type { ChannelResult, NotificationStatus } from '../../domain/notification.js';
import type { NotificationType } from '../../domain/notification-types.js';
import type { Queryable } from '../client.js';

export interface NewDelivery {
  id: string;
  clientId: string;
  bodyHash: string;
  notificationType: NotificationType;
  recipientEmail: string | null;
  recipientPhone: string | null;
  missingVariables: string[];
}

export interface ClaimedDelivery {
  bodyHash: string;
  channels: ChannelResult[];
  /** null until the channels have been tried. */
  status: NotificationStatus | null;
}

/** Makes the log entry of a notification, or finds the one that is there; the first body stays. */
export async function claimDelivery(sql: Queryable, delivery: NewDelivery): Promise<ClaimedDelivery> {
  const [claimed] = await sql<ClaimedDelivery[]>`
    with made as (
      insert into notification.delivery ${sql(delivery)}
      on conflict (id) do nothing
      returning body_hash, channels, status
    )
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
