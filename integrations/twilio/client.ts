import { z } from 'zod';
import { exchange, parseAnswer, parseJson } from '../../platform/http/outbound.js';

const party = 'SMS provider';

export interface TwilioSettings {
  /** The address of the API, or of one that speaks alike; `/2010-04-01/…` is added. */
  baseUrl: string;
  accountSid: string;
  authToken: string;
  from: string;
}

interface SmsRequest {
  to: string;
  body: string;
}

const accepted = z.object({ sid: z.string() });
const refusal = z.object({ code: z.number() });

/** Accepted under the provider's id, or refused for good with the provider's error code where it names one. */
type SmsVerdict = { sid: string } | { refusedCode: number | null };

export interface SmsClient {
  /** Hands over one text message. @throws OutboundError when the provider gave no verdict, or asks for a later try */
  send: (sms: SmsRequest, limits: { timeoutMs: number; signal: AbortSignal }) => Promise<SmsVerdict>;
}

export function createSmsClient({ baseUrl, accountSid, authToken, from }: TwilioSettings): SmsClient {
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  return {
    async send({ to, body }, limits) {
      const response = await exchange({
        party,
        method: 'POST',
        url: `${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
        headers: {
          authorization: `Basic ${credentials}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ To: to, From: from, Body: body }).toString(),
        ...limits,
      });
      // Only the code is taken over: the provider's text repeats the number.
      if (response.status === 400) {
        const refused = refusal.safeParse(parseJson(party, response));
        return { refusedCode: refused.data?.code ?? null };
      }
      return parseAnswer(party, response, accepted);
    },
  };
}
