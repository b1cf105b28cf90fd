import { z } from 'zod';
import { parseAnswer } from '../../platform/http/outbound.js';
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

export interface NotificationClient {
  /**
   * Sends a notification once per key.
   * @returns the channels that delivered; empty when none could
   * @throws OwnOutage when the service gave no verdict, OutboundError when it refused the call
   */
  send: (
    notification: NotificationRequest,
    options: { idempotencyKey: string; timeoutMs: number; signal?: AbortSignal },
  ) => Promise<string[]>;
}

export function createNotificationClient(settings: SignedParty): NotificationClient {
  const { party } = settings;
  return {
    async send(notification, options) {
      // 502 is a verdict too: every channel was tried to the end of its own budget.
      const path = '/notify/send';
      const response = await callOwnService(
        settings,
        { method: 'POST', resource: 'notification', path, body: notification, ...options },
        answer,
      );
      const verdict = response.status === 502 ? { ...response, status: 200 } : response;
      const { channels } = parseAnswer(party, verdict, answer);
      return channels.flatMap(({ channel, status }) => (status === 'sent' ? [channel] : []));
    },
  };
}
