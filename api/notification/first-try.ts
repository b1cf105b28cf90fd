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

/** As in the workflow (D70). */
const timeoutMs = 2_500;

/**
 * `ended`: all channels have a result; `open`: a workflow takes over the others.
 * @property isMade this request has created the log entry
 */
export type FirstTry = { isMade: boolean } & (
  | { state: 'ended'; result: NotificationResult }
  | { state: 'otherBody' }
  | { state: 'open'; finished: ChannelResult[] }
);

/**
 * Claims the log entry of a notification for this process and tries each of its channels once (D113). Idempotency keys
 * and records are those of the workflow.
 * @throws when the claim fails; a repeated request or the sweep then takes over
 */
export async function tryFirst(
  { sql, logger, channels }: Pick<ServiceContext, 'sql' | 'logger'> & { channels: MessageChannels },
  notification: Notification,
): Promise<FirstTry> {
  const { logId, bodyHash } = notification;
  const claimed = await claimNotification(sql, notification, { webhooks: channels.webhooks, by: 'service' });
  if (claimed === 'otherBody') return { isMade: false, state: 'otherBody' };
  if (claimed === 'held') return { isMade: false, state: 'open', finished: [] };
  if ('recorded' in claimed) return { isMade: false, state: 'ended', result: claimed.recorded };

  const { deliveries } = claimed;
  let pending = deliveries.length;
  const results = await Promise.all(
    deliveries.map(async (delivery) => {
      const result = await deliver(channels, logId, delivery).catch(logFailure);
      pending -= 1;
      // Recorded at once, so that nothing is sent twice if this process dies before the other channels end.
      if (pending > 0 && result?.status === 'sent') await noteChannel(sql, logId, result).catch(logFailure);
      return result;
    }),
  );
  const finished = results.filter((result) => result !== null);
  const open = { isMade: true, state: 'open', finished } as const;
  if (finished.length < results.length) return open;
  const status = notificationStatus(finished);
  try {
    await finishDelivery(sql, logId, finished, status);
  } catch (error) {
    logFailure(error);
    return open;
  }
  return { isMade: true, state: 'ended', result: { bodyHash, status, channels: finished } };

  /** An internal error of one channel must not hide the results of the others. */
  function logFailure(error: unknown): null {
    logger.warn({ err: error, logId }, 'an internal error ended a first attempt; a workflow takes over');
    return null;
  }
}

/** @returns null if the workflow must retry the channel */
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
