import { z } from 'zod';
import { type CallLimits, parseAnswer } from '../../platform/http/outbound.js';
import { callOwnService, signedCall, type SignedParty } from '../../platform/http/signed-call.js';

export interface NotificationRequest {
  type: string;
  recipient: {
    email?: string | undefined;
    phone?: string | undefined;
    name?: string;
    unusable?: ('email' | 'phone')[];
  };
  variables: Record<string, string>;
  channels: readonly ('email' | 'sms')[];
}

/** What became of a message on each of its channels. */
export interface Delivered {
  type: string;
  channels: { channel: string; status: 'sent' | 'failed' | 'skipped' }[];
}

const answer = z.object({
  success: z.boolean(),
  channels: z.array(z.object({ channel: z.string(), status: z.enum(['sent', 'failed', 'skipped']) })),
});

/** The part with which runs send. */
export type NotificationClient = Pick<ReturnType<typeof createNotificationClient>, 'send'>;

export const createNotificationClient = (settings: SignedParty) => ({
  /**
   * Sends a notification once per key.
   * @returns the channels that delivered; empty if none did
   * @throws OwnOutage without an answer, OutboundError if the service rejected the call
   */
  async send(
    notification: NotificationRequest,
    options: CallLimits & { idempotencyKey: string },
  ): Promise<string[]> {
    const path = '/notify/send';
    const response = await callOwnService(
      settings,
      { method: 'POST', resource: 'notification', path, body: notification, ...options },
      answer,
    );
    // A 502 is final too: every channel used up its retries.
    const verdict = response.status === 502 ? { ...response, status: 200 } : response;
    const { channels } = parseAnswer(settings.party, verdict, answer);
    return channels.flatMap(({ channel, status }) => (status === 'sent' ? [channel] : []));
  },

  /**
   * Sends the last of our messages with these keys again, once per key (D135).
   * @returns undefined if none of them was sent
   * @throws OutboundError
   */
  async sendAgain(
    again: Pick<NotificationRequest, 'recipient' | 'channels'> & { keys: readonly string[] },
    options: CallLimits & { idempotencyKey: string },
  ): Promise<Delivered | undefined> {
    const call = { method: 'POST', resource: 'notification', path: '/notify/send-again' } as const;
    const response = await signedCall(settings, { ...call, body: again, ...options });
    if (response.status === 404) return undefined;
    // A 502 of ours names its channels; a proxy's does not.
    const verdict = response.status === 502 ? { ...response, status: 200 } : response;
    return parseAnswer(settings.party, verdict, answer.extend({ type: z.string().default('') }));
  },
});
