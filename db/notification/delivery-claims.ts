import type {
  Notification,
  NotificationResult,
  OpenDelivery,
} from '../../domain/notification/notification.js';
import {
  type ChannelName,
  channelNames,
  planDeliveries,
  type WebhookChannel,
} from '../../domain/notification/notification-channels.js';
import {
  missingVariables,
  type NotificationType,
  secretTypes,
} from '../../domain/notification/notification-types.js';
import { insertAccessEvents } from '../access/access-events.js';
import type { Sql } from '../client.js';
import { findChannelConfig } from './channels.js';
import { claimDelivery, handToRun } from './deliveries.js';
import { findTemplate } from './templates.js';

/**
 * Claims the log entry of a notification and renders the delivery for each channel.
 * @param by a workflow, or the service that handles the request (D113)
 * @returns the recorded result of a sent notification; `otherBody` when the entry has another body; `held` when
 * another sender holds it, until a workflow takes over
 */
export async function claimNotification(
  sql: Sql,
  notification: Notification,
  { webhooks, by }: { webhooks: readonly WebhookChannel[]; by: 'run' | 'service' },
): Promise<{ deliveries: OpenDelivery[] } | { recorded: NotificationResult } | 'otherBody' | 'held'> {
  const { access, ...asked } = notification;
  const { logId, clientId, bodyHash, type, recipient, variables, takesOver = [] } = asked;
  const [template, channels] = await Promise.all([
    findTemplate(sql, type),
    asked.channels ?? configuredChannels(sql, type),
  ]);
  if (!template) throw new Error(`The notification type ${type} has no template`);
  const entry = {
    id: logId,
    clientId,
    bodyHash,
    notificationType: type,
    recipientEmail: recipient.email ?? null,
    recipientPhone: recipient.phone ?? null,
    missingVariables: missingVariables(type, variables),
    askedChannels: [...new Set(channels)],
    variables: secretTypes.has(type) ? null : JSON.stringify(variables),
    againOf: asked.againOf ?? null,
    firstTry: by === 'service' ? asked : null,
  };
  const claimed = await claimDelivery(sql, entry, access);
  if (claimed.bodyHash !== bodyHash) return 'otherBody';
  if (claimed.status !== null) {
    if (access && by === 'run') await insertAccessEvents(sql, [access]);
    return { recorded: { bodyHash, status: claimed.status, channels: claimed.channels } };
  }
  if (!claimed.isMade && by === 'service') return 'held';
  if (claimed.isFirstTry && by === 'run') await handToRun(sql, logId);

  const settled = [...takesOver, ...claimed.channels];
  const planned = planDeliveries(channels, { type, recipient, template, variables, webhooks });
  return {
    deliveries: planned.map((delivery) => {
      const { channel } = delivery;
      const result = settled.find((one) => one.channel === channel);
      return result ? { channel, settled: result } : delivery;
    }),
  };
}

async function configuredChannels(sql: Sql, type: NotificationType): Promise<ChannelName[]> {
  const config = await findChannelConfig(sql, type);
  if (!config) throw new Error(`The notification type ${type} has no channels`);
  return channelNames.filter((name) => name !== 'push' && config[name]);
}
