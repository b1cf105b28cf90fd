import { z } from 'zod';
import { type CallLimits, exchange, parseAnswer, parseJson } from '../../platform/http/outbound.js';

const party = 'SMS provider';

export interface TwilioSettings {
  /** Without `/2010-04-01`. */
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
const rejection = z.object({ code: z.number() });

type SmsVerdict = { sid: string } | { rejectedCode: number | null };

export type SmsClient = ReturnType<typeof createSmsClient>;

export function createSmsClient({ baseUrl, accountSid, authToken, from }: TwilioSettings) {
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  return {
    /** @throws OutboundError without an answer, or if the provider asks for a retry */
    async send({ to, body }: SmsRequest, limits: CallLimits): Promise<SmsVerdict> {
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
      // Only the code: the provider's text contains the phone number.
      if (response.status === 400) {
        const { data } = rejection.safeParse(parseJson(party, response));
        return { rejectedCode: data?.code ?? null };
      }
      return parseAnswer(party, response, accepted);
    },
  };
}
