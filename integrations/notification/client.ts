import { z } from 'zod';
import { OutboundError, expectOk, parseJson } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

export interface NotificationRequest {
  type: string;
  recipient: { email?: string; phone?: string; name?: string };
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
   * @throws OutboundError when the service gave no verdict
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
      const response = await signedCall(settings, {
        method: 'POST',
        resource: 'notification',
        path: '/notify/send',
        body: notification,
        ...options,
      });
      // 502 is a verdict too: every channel was tried to the end of its own budget.
      const verdict = response.status === 502 ? response : expectOk(party, response);
      const parsed = answer.safeParse(parseJson(party, verdict));
      if (!parsed.success) throw new OutboundError(party, { kind: 'malformed' });
      return parsed.data.channels.flatMap(({ channel, status }) => (status === 'sent' ? [channel] : []));
    },
  };
}
