import type { OwedDelivery } from '../domain/notification/notification.js';
import type { WebhookChannel } from '../domain/notification/notification-channels.js';
import type { Config } from '../platform/config.js';
import { type ChatClient, createChatClient } from './chat/client.js';
import { createCrmClient, type CrmClient } from './crm/client.js';
import { createMailClient, type MailClient } from './smtp/client.js';
import { createSmsClient, type SmsClient } from './twilio/client.js';

export interface MessageChannels {
  mail: MailClient;
  /** Domain of our Message-IDs. */
  mailDomain: string;
  sms: SmsClient;
  chat?: ChatClient | undefined;
  crm?: CrmClient | undefined;
  /** The configured ones of `chat` and `crm`. */
  webhooks: readonly WebhookChannel[];
}

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
  providerMessageId?: string;
}

/** A rejection is final; a deferred message can be retried. */
export type Verdict = { accepted: Accepted } | { rejected: string } | { deferred: string };

/**
 * Sends one message through its channel.
 * @throws OutboundError without an answer
 *
 * Safe to repeat: mailboxes drop a second copy by its Message-ID, and the CRM by the log id. Text messages and chats have
 * no key: if an answer is lost, the message arrives twice, which is better than never.
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
      return 'rejected' in verdict
        ? { rejected: `Mail server rejected the message (${verdict.rejected})` }
        : { deferred: `Mail server deferred the message (${verdict.deferred})` };
    }
    case 'sms': {
      const verdict = await sms.send(delivery.sms, limits);
      if ('sid' in verdict) return { accepted: { providerMessageId: verdict.sid } };
      const code = verdict.rejectedCode === null ? '' : ` (${verdict.rejectedCode})`;
      return { rejected: `SMS provider rejected the message${code}` };
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

/** The configuration may change after the message was queued. */
const notConfigured = (channel: WebhookChannel) => ({ rejected: `The channel ${channel} is not configured` });
