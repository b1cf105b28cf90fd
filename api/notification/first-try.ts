import { claimNotification } from '../../db/notification/delivery-claims.js';
import { finishDelivery, noteChannel } from '../../db/notification/deliveries.js';
import {
  type ChannelResult,
  isOwed,
  type Notification,
  type NotificationResult,
  notificationStatus,
  type OpenDelivery,
  resultBefore,
} from '../../domain/notification/notification.js';
import { handOver, type MessageChannels } from '../../integrations/message-channels.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { ServiceContext } from '../context.js';

/** What a call of the run has (D70). */
const timeoutMs = 2_500;

/**
 * `ended`, here or before; `open`: a run takes over what is not settled.
 * @property isMade whether the log entry was made here; else somebody was before
 */
export type FirstTry = { isMade: boolean } & (
  | { state: 'ended'; result: NotificationResult }
  | { state: 'otherBody' }
  | { state: 'open'; settled: ChannelResult[] }
);

/**
 * Claims the log entry of a notification for this process and tries each of its channels once (D113), under the keys and
 * with the records that its run would have.
 * @throws when the claim cannot be made, which leaves nothing behind that a repeat or a sweep does not see to
 */
export async function tryFirst(
  { sql, logger, channels }: Pick<ServiceContext, 'sql' | 'logger'> & { channels: MessageChannels },
  notification: Notification,
): Promise<FirstTry> {
  const { logId, bodyHash } = notification;
  const claimed = await claimNotification(sql, notification, { webhooks: channels.webhooks, by: 'service' });
  if (claimed === 'otherBody') return { isMade: false, state: 'otherBody' };
  if (claimed === 'held') return { isMade: false, state: 'open', settled: [] };
  if ('recorded' in claimed) return { isMade: false, state: 'ended', result: claimed.recorded };

  const { deliveries } = claimed;
  let underWay = deliveries.length;
  const results = await Promise.all(
    deliveries.map(async (delivery) => {
      const result = await deliver(channels, logId, delivery).catch(failedOurselves);
      underWay -= 1;
      // What left must not leave again when this process dies before the others have ended.
      if (underWay > 0 && result?.status === 'sent')
        await noteChannel(sql, logId, result).catch(failedOurselves);
      return result;
    }),
  );
  const settled = results.filter((result) => result !== null);
  const open = { isMade: true, state: 'open', settled } as const;
  if (settled.length < results.length) return open;
  const status = notificationStatus(settled);
  try {
    await finishDelivery(sql, logId, settled, status);
  } catch (error) {
    failedOurselves(error);
    return open;
  }
  return { isMade: true, state: 'ended', result: { bodyHash, status, channels: settled } };

  /** One channel's fault of ours keeps no other from being waited for: what it does meanwhile must be known. */
  function failedOurselves(error: unknown): null {
    logger.warn({ err: error, logId }, 'a first try failed by a fault of our own; a run takes over');
    return null;
  }
}

/** @returns null where the channel is to be tried again */
async function deliver(
  channels: MessageChannels,
  logId: string,
  delivery: OpenDelivery,
): Promise<ChannelResult | null> {
  if (!isOwed(delivery)) return resultBefore(delivery);
  const { channel } = delivery;
  const limits = { timeoutMs, signal: new AbortController().signal };
  try {
    const verdict = await handOver(channels, logId, delivery, limits);
    if ('accepted' in verdict) return { channel, status: 'sent', ...verdict.accepted };
    return 'rejected' in verdict ? { channel, status: 'failed', error: verdict.rejected } : null;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return error.isFinal ? { channel, status: 'failed', error: error.message } : null;
  }
}
