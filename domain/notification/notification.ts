import type { AccessEvent } from '../access-events.js';
import type { ChannelName, PlannedDelivery, Recipient } from './notification-channels.js';
import type { NotificationType, Variables } from './notification-types.js';

/** One notification on its way: what a sender asked for, and under which log entry. */
export interface Notification {
  logId: string;
  clientId: string;
  /** The hash of the request as JSON; the order of its keys does not count. */
  bodyHash: string;
  type: NotificationType;
  recipient: Recipient;
  variables: Variables;
  /** Instead of the type's configuration. */
  channels?: ChannelName[] | undefined;
  /** Of whoever asked, where it was over the API; noted with the log entry (D88). */
  access?: AccessEvent;
  /** Of a run that carries on a first try (D113): what that has settled. Each channel has one call less left. */
  takesOver?: ChannelResult[];
}

/** The sender reads this of one channel (D68). */
export interface ChannelResult {
  channel: ChannelName;
  status: 'sent' | 'failed' | 'skipped';
  error?: string;
  reason?: string;
  providerMessageId?: string;
}

/** What a channel has to deliver, or what a first try has settled already. */
export type OpenDelivery = PlannedDelivery | { channel: ChannelName; settled: ChannelResult };

/** One whose message is to be sent. */
export type OwedDelivery = Exclude<
  OpenDelivery,
  { settled: ChannelResult } | { skip: string } | { refuse: string }
>;
export const isOwed = (delivery: OpenDelivery): delivery is OwedDelivery =>
  !('settled' in delivery || 'skip' in delivery || 'refuse' in delivery);

/** What became of a channel that has nothing to send, or no more. */
export function resultBefore(delivery: Exclude<OpenDelivery, OwedDelivery>): ChannelResult {
  const { channel } = delivery;
  if ('settled' in delivery) return delivery.settled;
  if ('skip' in delivery) return { channel, status: 'skipped', reason: delivery.skip };
  return { channel, status: 'failed', error: delivery.refuse };
}

export type NotificationStatus = 'sent' | 'partial' | 'failed';

export interface NotificationResult {
  /** The hash of the request that was sent, which tells another request under the same key apart. */
  bodyHash: string;
  status: NotificationStatus;
  channels: ChannelResult[];
}

/** `sent` when none failed, `failed` when all that were tried did (D68); a skipped channel counts for neither. */
export function notificationStatus(results: readonly ChannelResult[]): NotificationStatus {
  const failed = results.some(({ status }) => status === 'failed');
  if (!failed) return 'sent';
  return results.some(({ status }) => status === 'sent') ? 'partial' : 'failed';
}
