import { type CallLimits, exchange, expectOk } from '../../platform/http/outbound.js';

const party = 'Chat webhook';

export type ChatClient = ReturnType<typeof createChatClient>;

/** A Slack-compatible incoming webhook. @param url a secret: it grants write access */
export const createChatClient = (url: string) => ({
  /** Posts a message in the webhook's markup. @throws OutboundError unless the status is 2xx */
  async send({ text }: { text: string }, limits: CallLimits): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ text });
    expectOk(party, await exchange({ party, method: 'POST', url, headers, body, ...limits }));
  },
});
