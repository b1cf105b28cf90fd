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
import { callLimits } from '../call-limits.js';
import { calling, permanentFailure } from '../failures.js';

export type { Accepted };

/** The longest pause a provider may ask for: three attempts and their pauses then stay within some 10 s (D70). */
const maxRetryAfterMs = 1_250;

/** A type for each channel, so that the Web UI names it; each is safe to retry as `handOver` says. */
export const createMessageActivities = (channels: MessageChannels) => {
  async function send(logId: string, delivery: OwedDelivery): Promise<Accepted> {
    const verdict = await calling(() => handOver(channels, logId, delivery, callLimits()), maxRetryAfterMs);
    if ('accepted' in verdict) return verdict.accepted;
    if ('rejected' in verdict) throw permanentFailure(failureTypes.rejected, verdict.rejected);
    throw ApplicationFailure.create({ type: failureTypes.unavailable, message: verdict.deferred });
  }

  return {
    /** Hands one e-mail to the mail server. @throws Rejected when the server refuses it for good (5yz) */
    sendEmail: ({ logId, email }: { logId: string; email: EmailMessage }): Promise<Accepted> =>
      send(logId, { channel: 'email', email }),

    /** Hands one text message to the SMS provider. @throws Rejected when the provider refuses it for good */
    sendSms: ({ sms }: { sms: SmsMessage }): Promise<Accepted> => send('', { channel: 'sms', sms }),

    /** Posts one message to the room of the chat webhook. @throws Rejected when it is refused for good */
    sendChat: ({ chat }: { chat: ChatMessage }): Promise<Accepted> => send('', { channel: 'chat', chat }),

    /** Tells the CRM of one message. @throws Rejected when it is refused for good */
    sendCrm: ({ logId, crm }: { logId: string; crm: CrmMessage }): Promise<Accepted> =>
      send(logId, { channel: 'crm', crm }),
  };
};

export type MessageActivities = ReturnType<typeof createMessageActivities>;
