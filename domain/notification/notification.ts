import type { AccessEvent } from '../access-events.js';
import type { ChannelName, PlannedDelivery, Recipient } from './notification-channels.js';
import type { NotificationType, Variables } from './notification-types.js';

export interface Notification {
  logId: string;
  clientId: string;
  bodyHash: string;
  type: NotificationType;
  recipient: Recipient;
  variables: Variables;
  /** Replaces the type's configuration. */
  channels?: ChannelName[] | undefined;
  /** The API request's access event, recorded with the log entry (D88). */
  access?: AccessEvent;
  /** The log entry of the message that this one sends again (D135). */
  againOf?: string;
  /** The final results of a durable caller's first attempt (D113). The other channels have one call less left. */
  takesOver?: ChannelResult[];
}

/** A channel's result as the sender reads it (D68). */
export interface ChannelResult {
  channel: ChannelName;
  status: 'sent' | 'failed' | 'skipped';
  error?: string;
  reason?: string;
  providerMessageId?: string;
}

export type OpenDelivery = PlannedDelivery | { channel: ChannelName; settled: ChannelResult };

export type OwedDelivery = Exclude<
  OpenDelivery,
  { settled: ChannelResult } | { skip: string } | { refuse: string }
>;
export const isOwed = (delivery: OpenDelivery): delivery is OwedDelivery =>
  !('settled' in delivery || 'skip' in delivery || 'refuse' in delivery);

export function resultBefore(delivery: Exclude<OpenDelivery, OwedDelivery>): ChannelResult {
  const { channel } = delivery;
  if ('settled' in delivery) return delivery.settled;
  if ('skip' in delivery) return { channel, status: 'skipped', reason: delivery.skip };
  return { channel, status: 'failed', error: delivery.refuse };
}

export type NotificationStatus = 'sent' | 'partial' | 'failed';

export interface NotificationResult {
  /** Hash of the request, to detect another request under the same key. */
  bodyHash: string;
  status: NotificationStatus;
  channels: ChannelResult[];
}

/** `sent` if no channel failed, `failed` if every tried one did (D68). Skipped channels do not count. */
export function notificationStatus(results: readonly ChannelResult[]): NotificationStatus {
  const failed = results.some(({ status }) => status === 'failed');
  if (!failed) return 'sent';
  return results.some(({ status }) => status === 'sent') ? 'partial' : 'failed';
}
