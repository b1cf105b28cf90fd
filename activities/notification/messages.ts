import { ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../../domain/failures.js';
import type {
  ChatMessage,
  CrmMessage,
  EmailMessage,
  SmsMessage,
} from '../../domain/notification/notification-channels.js';
import type { ChatClient } from '../../integrations/chat/client.js';
import type { CrmClient } from '../../integrations/crm/client.js';
import type { MailClient } from '../../integrations/smtp/client.js';
import type { SmsClient } from '../../integrations/twilio/client.js';
import { callLimits } from '../call-limits.js';
import { calling, refuse } from '../failures.js';

export interface Accepted {
  /** The provider's id of the message, where it gives one. */
  providerMessageId?: string;
}

/** The longest pause a provider may ask for: three attempts and their pauses then stay within some 10 s (D70). */
const maxRetryAfterMs = 1_250;

export interface MessageDependencies {
  mail: MailClient;
  /** The domain our Message-IDs are of. */
  mailDomain: string;
  sms: SmsClient;
  /** Absent where no address is configured. */
  chat?: ChatClient | undefined;
  crm?: CrmClient | undefined;
}

export const createMessageActivities = ({ mail, mailDomain, sms, chat, crm }: MessageDependencies) => ({
  /**
   * Hands one e-mail to the mail server.
   * @throws Rejected when the server refuses it for good (5yz)
   *
   * Safe to retry: every attempt carries the same Message-ID, by which mailboxes drop a second copy after a lost answer.
   */
  async sendEmail({ logId, email }: { logId: string; email: EmailMessage }): Promise<Accepted> {
    const messageId = `<${logId}.email@${mailDomain}>`;
    const verdict = await calling(() => mail.send({ ...email, messageId }, callLimits()), maxRetryAfterMs);
    if (verdict === 'accepted') return { providerMessageId: messageId };
    if ('refused' in verdict)
      throw refuse(failureTypes.rejected, `Mail server refused the message (${verdict.refused})`);
    throw ApplicationFailure.create({
      type: failureTypes.unavailable,
      message: `Mail server wants the message later (${verdict.deferred})`,
    });
  },

  /**
   * Hands one text message to the SMS provider.
   * @throws Rejected when the provider refuses it for good
   *
   * Safe to retry: after a refusal or an outage nothing was sent. The provider knows no idempotency key, so an answer
   * lost after acceptance brings the text a second time; none at all would be worse.
   */
  async sendSms({ sms: message }: { sms: SmsMessage }): Promise<Accepted> {
    const verdict = await calling(() => sms.send(message, callLimits()), maxRetryAfterMs);
    if ('sid' in verdict) return { providerMessageId: verdict.sid };
    const code = verdict.refusedCode === null ? '' : ` (${verdict.refusedCode})`;
    throw refuse(failureTypes.rejected, `SMS provider refused the message${code}`);
  },

  /**
   * Posts one message to the room of the chat webhook.
   * @throws Rejected when it is refused for good, or the address was taken out of the configuration meanwhile
   *
   * Safe to retry: such webhooks know no key, so an answer lost after acceptance shows the message twice in the room.
   */
  async sendChat({ chat: message }: { chat: ChatMessage }): Promise<Accepted> {
    if (!chat) throw notConfigured('chat');
    await calling(() => chat.send(message, callLimits()), maxRetryAfterMs);
    return {};
  },

  /**
   * Tells the CRM of one message.
   * @throws Rejected when it is refused for good, or the address was taken out of the configuration meanwhile
   *
   * Safe to retry: every attempt carries the log entry's id as its key.
   */
  async sendCrm({ logId, crm: message }: { logId: string; crm: CrmMessage }): Promise<Accepted> {
    if (!crm) throw notConfigured('crm');
    await calling(() => crm.send({ id: logId, ...message }, callLimits()), maxRetryAfterMs);
    return {};
  },
});

const notConfigured = (channel: string) =>
  refuse(failureTypes.rejected, `The channel ${channel} is not configured`);

export type MessageActivities = ReturnType<typeof createMessageActivities>;
