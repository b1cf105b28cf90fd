import { ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../../domain/failures.js';
import type { EmailMessage, SmsMessage } from '../../domain/notification-channels.js';
import type { MailClient } from '../../integrations/smtp/client.js';
import type { SmsClient } from '../../integrations/twilio/client.js';
import { callLimits } from '../call-limits.js';
import { calling, refuse } from '../failures.js';

export interface Accepted {
  providerMessageId: string;
}

export interface MessageDependencies {
  mail: MailClient;
  /** The domain our Message-IDs are of. */
  mailDomain: string;
  sms: SmsClient;
}

export const createMessageActivities = ({ mail, mailDomain, sms }: MessageDependencies) => ({
  /**
   * Hands one e-mail to the mail server.
   * @throws Rejected when the server refuses it for good (5yz)
   *
   * Safe to retry: every attempt carries the same Message-ID, by which mailboxes drop a second copy after a lost answer.
   */
  async sendEmail({ logId, email }: { logId: string; email: EmailMessage }): Promise<Accepted> {
    const messageId = `<${logId}.email@${mailDomain}>`;
    const verdict = await calling(() => mail.send({ ...email, messageId }, callLimits()));
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
    const verdict = await calling(() => sms.send(message, callLimits()));
    if ('sid' in verdict) return { providerMessageId: verdict.sid };
    const code = verdict.refusedCode === null ? '' : ` (${verdict.refusedCode})`;
    throw refuse(failureTypes.rejected, `SMS provider refused the message${code}`);
  },
});

export type MessageActivities = ReturnType<typeof createMessageActivities>;
