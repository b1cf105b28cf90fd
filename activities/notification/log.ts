import type { Sql } from '../../db/client.js';
import { claimNotification } from '../../db/notification/delivery-claims.js';
import { finishDelivery } from '../../db/notification/deliveries.js';
import { failureTypes } from '../../domain/failures.js';
import { keyUsedOtherwiseText } from '../../domain/idempotency.js';
import type {
  ChannelResult,
  Notification,
  NotificationResult,
  NotificationStatus,
  OpenDelivery,
} from '../../domain/notification/notification.js';
import type { MessageChannels } from '../../integrations/message-channels.js';
import { permanentFailure } from '../calls.js';

export const createDeliveryLogActivities = (sql: Sql, { webhooks }: Pick<MessageChannels, 'webhooks'>) => ({
  /**
   * Claims the log entry and renders a message for each channel. Safe to retry: the entry is claimed once, and
   * nothing has been sent yet.
   * @returns the recorded result when the notification was sent before
   * @throws DuplicateConflict when the entry belongs to another body
   */
  async prepareNotification(
    notification: Notification,
  ): Promise<{ deliveries: OpenDelivery[] } | { recorded: NotificationResult }> {
    const claimed = await claimNotification(sql, notification, { webhooks, by: 'run' });
    if (claimed === 'otherBody') throw permanentFailure(failureTypes.duplicateConflict, keyUsedOtherwiseText);
    if (claimed === 'held') throw new Error('A run is kept from its log entry by nobody');
    return claimed;
  },

  /** Closes the log entry with the result of each channel. Safe to retry: the first result stays. */
  finishNotification: (input: { logId: string; channels: ChannelResult[]; status: NotificationStatus }) =>
    finishDelivery(sql, input.logId, input.channels, input.status),
});

export type DeliveryLogActivities = ReturnType<typeof createDeliveryLogActivities>;
