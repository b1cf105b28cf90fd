import { z } from 'zod';
import { exchange, parseAnswer } from '../../../platform/http/outbound.js';

/** A token is renewed after this part of its lifetime, so that none expires in flight. */
const usedPartOfLife = 0.9;

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

interface CachedToken {
  value: Promise<string>;
  /** Epoch milliseconds. */
  renewAt: number;
}

export interface TokenSource {
  /** The cached token, or a new one; concurrent callers share one request. */
  get: (limits: { timeoutMs: number; signal: AbortSignal }) => Promise<string>;
  /** Drops a token that the pharmacy rejected early. */
  drop: (token: string) => Promise<void>;
}

/** OAuth 2.0 client credentials of one token endpoint. `get` throws OutboundError without a token. */
export function createTokenSource(
  party: string,
  settings: { tokenUrl: string; clientId: string; clientSecret: string },
): TokenSource {
  let cached: CachedToken | undefined;

  async function request(entry: CachedToken, limits: { timeoutMs: number; signal: AbortSignal }) {
    const response = await exchange({
      party,
      method: 'POST',
      url: settings.tokenUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: settings.clientId,
        client_secret: settings.clientSecret,
      }).toString(),
      ...limits,
    });
    const { access_token, expires_in } = parseAnswer(party, response, tokenAnswer);
    entry.renewAt = Date.now() + expires_in * 1000 * usedPartOfLife;
    return access_token;
  }

  return {
    get(limits) {
      if (cached && cached.renewAt > Date.now()) return cached.value;
      const entry: CachedToken = { value: Promise.resolve(''), renewAt: Number.POSITIVE_INFINITY };
      entry.value = request(entry, limits).catch((error: unknown) => {
        if (cached === entry) cached = undefined;
        throw error;
      });
      cached = entry;
      return entry.value;
    },
    async drop(token) {
      const entry = cached;
      if (entry && (await entry.value.catch(() => undefined)) === token && cached === entry)
        cached = undefined;
    },
  };
}
