import {
  CancellationScope,
  isCancellation,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { DeliveryLogActivities } from '../../activities/notification/log.js';
import type { Accepted, MessageActivities } from '../../activities/notification/messages.js';
import {
  type ChannelResult,
  isOwed,
  type Notification,
  type NotificationResult,
  notificationStatus,
  type NotificationStatus,
  type OpenDelivery,
  type OwedDelivery,
  resultBefore,
} from '../../domain/notification/notification.js';
import { failureOf, ordinary, ownRecords } from '../proxies.js';
import { rxOutcome } from '../search-attributes.js';

const log = ownRecords<DeliveryLogActivities>();

/** About 10 s for each channel (D70): three attempts of at most 3 s, 0.5 and 1.5 s apart. Rejections are final. */
const attempts = (maximumAttempts: number) =>
  ordinary<MessageActivities>({
    startToCloseTimeout: '3 s',
    retry: { initialInterval: '500 ms', backoffCoefficient: 3, maximumAttempts },
  });
const inFull = attempts(3);
/** A durable caller's request has made the first attempt (D113). */
const afterFirst = attempts(2);

/** Sends one notification on all channels concurrently (page 2, Notification service). A failed channel is a result. */
export async function sendNotification(notification: Notification): Promise<NotificationResult> {
  const { logId, bodyHash, takesOver } = notification;
  const prepared = await log('Choose channels and render').prepareNotification(notification);
  if ('recorded' in prepared) return prepared.recorded;

  const { deliveries } = prepared;
  const messages = takesOver ? afterFirst : inFull;
  const channels = await Promise.all(deliveries.map((delivery) => deliver(logId, delivery, messages)));
  const status = notificationStatus(channels);
  if (status !== 'sent') showFailures(status, channels);

  // A cancelled run also records the sent messages.
  await CancellationScope.nonCancellable(() =>
    log('Record the result').finishNotification({ logId, channels, status }),
  );
  return { bodyHash, status, channels };
}

async function deliver(
  logId: string,
  delivery: OpenDelivery,
  messages: typeof inFull,
): Promise<ChannelResult> {
  if (!isOwed(delivery)) return resultBefore(delivery);
  const { channel } = delivery;
  try {
    return { channel, status: 'sent', ...(await send(logId, delivery, messages)) };
  } catch (error) {
    const reason = isCancellation(error) ? 'Cancelled by an operator' : failureOf(error).message;
    return { channel, status: 'failed', error: reason };
  }
}

function send(logId: string, delivery: OwedDelivery, messages: typeof inFull): Promise<Accepted> {
  switch (delivery.channel) {
    case 'email':
      return messages('Send the e-mail').sendEmail({ logId, email: delivery.email });
    case 'sms':
      return messages('Send the text message').sendSms({ sms: delivery.sms });
    case 'chat':
      return messages('Post to the chat').sendChat({ chat: delivery.chat });
    case 'crm':
      return messages('Post to the CRM').sendCrm({ logId, crm: delivery.crm });
  }
}

function showFailures(status: NotificationStatus, channels: readonly ChannelResult[]): void {
  upsertSearchAttributes([{ key: rxOutcome, value: status === 'partial' ? 'WARN' : 'FAILED' }]);
  const lines = channels.map(({ channel, status, error, reason }) => {
    const cause = error ?? reason;
    return `- ${channel}: ${status}${cause === undefined ? '' : `, ${cause}`}`;
  });
  setCurrentDetails(
    [
      `**${status === 'partial' ? 'WARNING, some channels failed' : 'FAILED, no channel could deliver'}**`,
      ...lines,
      'No further attempt follows. Once the cause is fixed, the sender may send it again under a new key.',
    ].join('\n'),
  );
}
