import type { OwedDelivery } from '../domain/notification/notification.js';
import type { WebhookChannel } from '../domain/notification/notification-channels.js';
import type { Config } from '../platform/config.js';
import { type ChatClient, createChatClient } from './chat/client.js';
import { createCrmClient, type CrmClient } from './crm/client.js';
import { createMailClient, type MailClient } from './smtp/client.js';
import { createSmsClient, type SmsClient } from './twilio/client.js';

/** Those that messages go out by. */
export interface MessageChannels {
  mail: MailClient;
  /** The domain our Message-IDs are of. */
  mailDomain: string;
  sms: SmsClient;
  /** Absent where no address is configured. */
  chat?: ChatClient | undefined;
  crm?: CrmClient | undefined;
  /** The webhooks that have an address in the configuration. */
  webhooks: readonly WebhookChannel[];
}

/** The channels as the notification service's settings name them. */
export function messageChannelsOf(config: Config): MessageChannels {
  const settings = config.service('notification');
  const { MAIL_FROM: from, CHAT_WEBHOOK_URL: chatUrl, CRM_WEBHOOK_URL: crmUrl } = settings;
  return {
    mail: createMailClient({
      host: settings.SMTP_HOST,
      port: settings.SMTP_PORT,
      user: settings.SMTP_USER,
      password: settings.SMTP_PASSWORD,
      requireTls: config.NODE_ENV === 'production',
      from,
    }),
    mailDomain: from.slice(from.lastIndexOf('@') + 1),
    sms: createSmsClient({
      baseUrl: settings.TWILIO_BASE_URL,
      accountSid: settings.TWILIO_ACCOUNT_SID,
      authToken: settings.TWILIO_AUTH_TOKEN,
      from: settings.TWILIO_FROM,
    }),
    chat: chatUrl === undefined ? undefined : createChatClient(chatUrl),
    crm: crmUrl === undefined ? undefined : createCrmClient(crmUrl),
    webhooks: [
      ...(chatUrl === undefined ? [] : (['chat'] as const)),
      ...(crmUrl === undefined ? [] : (['crm'] as const)),
    ],
  };
}

export interface Accepted {
  /** The provider's id of the message, where it gives one. */
  providerMessageId?: string;
}

/** A channel's word on one message; `refused` for good, `deferred` until later. */
export type Verdict = { accepted: Accepted } | { refused: string } | { deferred: string };

/**
 * Hands one finished message to its channel, once.
 * @throws OutboundError when there was no verdict
 *
 * Safe to repeat: e-mails carry one Message-ID, by which mailboxes drop a second copy, and the CRM is told the log entry
 * as key. The provider of texts knows none, nor does a chat's webhook: an answer lost after acceptance brings the message
 * a second time; none at all would be worse.
 */
export async function handOver(
  { mail, mailDomain, sms, chat, crm }: MessageChannels,
  logId: string,
  delivery: OwedDelivery,
  limits: { timeoutMs: number; signal: AbortSignal },
): Promise<Verdict> {
  switch (delivery.channel) {
    case 'email': {
      const messageId = `<${logId}.email@${mailDomain}>`;
      const verdict = await mail.send({ ...delivery.email, messageId }, limits);
      if (verdict === 'accepted') return { accepted: { providerMessageId: messageId } };
      return 'refused' in verdict
        ? { refused: `Mail server refused the message (${verdict.refused})` }
        : { deferred: `Mail server wants the message later (${verdict.deferred})` };
    }
    case 'sms': {
      const verdict = await sms.send(delivery.sms, limits);
      if ('sid' in verdict) return { accepted: { providerMessageId: verdict.sid } };
      const code = verdict.refusedCode === null ? '' : ` (${verdict.refusedCode})`;
      return { refused: `SMS provider refused the message${code}` };
    }
    case 'chat':
      if (!chat) return notConfigured('chat');
      await chat.send(delivery.chat, limits);
      return { accepted: {} };
    case 'crm':
      if (!crm) return notConfigured('crm');
      await crm.send({ id: logId, ...delivery.crm }, limits);
      return { accepted: {} };
  }
}

/** Its address was taken out of the configuration meanwhile. */
const notConfigured = (channel: WebhookChannel) => ({ refused: `The channel ${channel} is not configured` });
