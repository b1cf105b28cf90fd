import { z } from 'zod';
import { type CallLimits, parseAnswer } from '../../platform/http/outbound.js';
import { callOwnService, type SignedParty } from '../../platform/http/signed-call.js';

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

const answer = z.object({
  success: z.boolean(),
  channels: z.array(z.object({ channel: z.string(), status: z.enum(['sent', 'failed', 'skipped']) })),
});

export type NotificationClient = ReturnType<typeof createNotificationClient>;

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
});
