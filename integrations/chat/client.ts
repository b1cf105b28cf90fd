import { exchange, expectOk } from '../../platform/http/outbound.js';

const party = 'Chat webhook';

export interface ChatClient {
  /** Posts one message, in the webhook's own markup. @throws OutboundError for anything but 2xx */
  send: (message: { text: string }, limits: { timeoutMs: number; signal: AbortSignal }) => Promise<void>;
}

/** A Slack-compatible incoming webhook. @param url a secret: whoever has it may post */
export const createChatClient = (url: string): ChatClient => ({
  async send({ text }, limits) {
    const headers = { 'content-type': 'application/json' };
    // What it answers to a message it took is plain text and says nothing more.
    expectOk(
      party,
      await exchange({ party, method: 'POST', url, headers, body: JSON.stringify({ text }), ...limits }),
    );
  },
});
