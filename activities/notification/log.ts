import { insertAccessEvents } from '../../db/access/access-events.js';
import type { Sql } from '../../db/client.js';
import { findChannelConfig } from '../../db/notification/channels.js';
import { claimDelivery, finishDelivery } from '../../db/notification/deliveries.js';
import { findTemplate } from '../../db/notification/templates.js';
import { failureTypes } from '../../domain/failures.js';
import { keyUsedOtherwiseText } from '../../domain/idempotency.js';
import {
  type ChannelResult,
  type Notification,
  type NotificationResult,
  type NotificationStatus,
} from '../../domain/notification/notification.js';
import {
  channelNames,
  type PlannedDelivery,
  planDeliveries,
  type WebhookChannel,
} from '../../domain/notification/notification-channels.js';
import { missingVariables } from '../../domain/notification/notification-types.js';
import { refuse } from '../failures.js';

export interface DeliveryLogDependencies {
  sql: Sql;
  /** The webhooks that have an address in the configuration. */
  webhooks: readonly WebhookChannel[];
}

export const createDeliveryLogActivities = ({ sql, webhooks }: DeliveryLogDependencies) => ({
  /**
   * Claims the log entry and decides what each channel has to deliver, rendered and ready.
   * @returns the recorded result when the notification was sent before
   * @throws DuplicateConflict when the entry belongs to another body
   *
   * Safe to retry: the entry is claimed once, with the note of who asked, and nothing has been sent yet.
   */
  async prepareNotification(
    notification: Notification,
  ): Promise<{ deliveries: PlannedDelivery[] } | { recorded: NotificationResult }> {
    const { logId, clientId, bodyHash, type, recipient, variables, access } = notification;
    const [template, config] = await Promise.all([findTemplate(sql, type), findChannelConfig(sql, type)]);
    if (!template || !config) throw new Error(`The notification type ${type} has no template or channels`);
    const channels = notification.channels ?? channelNames.filter((name) => name !== 'push' && config[name]);
    const entry = {
      id: logId,
      clientId,
      bodyHash,
      notificationType: type,
      recipientEmail: recipient.email ?? null,
      recipientPhone: recipient.phone ?? null,
      missingVariables: missingVariables(type, variables),
      askedChannels: [...new Set(channels)],
    };
    const claimed = await claimDelivery(sql, entry, access);
    if (claimed.bodyHash !== bodyHash) throw refuse(failureTypes.duplicateConflict, keyUsedOtherwiseText);
    if (claimed.status !== null) {
      if (access) await insertAccessEvents(sql, [access]);
      return { recorded: { bodyHash, status: claimed.status, channels: claimed.channels } };
    }
    return { deliveries: planDeliveries(channels, { type, recipient, template, variables, webhooks }) };
  },

  /** Closes the log entry with what became of each channel. Safe to retry: the first end stays. */
  async finishNotification(input: {
    logId: string;
    channels: ChannelResult[];
    status: NotificationStatus;
  }): Promise<void> {
    await finishDelivery(sql, input.logId, input.channels, input.status);
  },
});

export type DeliveryLogActivities = ReturnType<typeof createDeliveryLogActivities>;
