import { ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../../domain/failures.js';
import type { OwedDelivery } from '../../domain/notification/notification.js';
import type {
  ChatMessage,
  CrmMessage,
  EmailMessage,
  SmsMessage,
} from '../../domain/notification/notification-channels.js';
import { type Accepted, handOver, type MessageChannels } from '../../integrations/message-channels.js';
import { calling, callLimits, permanentFailure } from '../calls.js';

export type { Accepted };

/** The longest `Retry-After` honored, so that three attempts stay within about 10 s (D70). */
const maxRetryAfterMs = 1_250;

/** One activity type per channel, so that the Web UI names the channel. `handOver` says why each is safe to retry. */
export const createMessageActivities = (channels: MessageChannels) => {
  async function send(logId: string, delivery: OwedDelivery): Promise<Accepted> {
    const verdict = await calling(() => handOver(channels, logId, delivery, callLimits()), maxRetryAfterMs);
    if ('accepted' in verdict) return verdict.accepted;
    if ('rejected' in verdict) throw permanentFailure(failureTypes.rejected, verdict.rejected);
    throw ApplicationFailure.create({ type: failureTypes.unavailable, message: verdict.deferred });
  }

  return {
    /** Sends one e-mail through the mail server. @throws Rejected when the server rejects it for good (5yz) */
    sendEmail: ({ logId, email }: { logId: string; email: EmailMessage }): Promise<Accepted> =>
      send(logId, { channel: 'email', email }),

    /** Sends one text message through the SMS provider. @throws Rejected when the provider rejects it for good */
    sendSms: ({ sms }: { sms: SmsMessage }): Promise<Accepted> => send('', { channel: 'sms', sms }),

    /** Posts one message to the chat webhook. @throws Rejected when it is rejected for good */
    sendChat: ({ chat }: { chat: ChatMessage }): Promise<Accepted> => send('', { channel: 'chat', chat }),

    /** Sends one message to the CRM. @throws Rejected when it is rejected for good */
    sendCrm: ({ logId, crm }: { logId: string; crm: CrmMessage }): Promise<Accepted> =>
      send(logId, { channel: 'crm', crm }),
  };
};

export type MessageActivities = ReturnType<typeof createMessageActivities>;
