import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { now } from '../ledger.js';
import type { Outside, Party } from '../outside.js';

const form = z.object({
  To: z.string().default(''),
  From: z.string().default(''),
  Body: z.string().default(''),
});

const E164 = /^\+[1-9]\d{6,14}$/;

/** Twilio's magic numbers that it rejects. */
const MAGIC_NUMBERS: Record<string, [code: number, message: string]> = {
  '+15005550001': [21211, "Invalid 'To' Phone Number"],
  '+15005550004': [21610, 'Attempt to send to unsubscribed recipient'],
  '+15005550009': [21614, "'To' number is not a valid mobile number"],
};

const errorBody = (status: number, message: string, code: number) => ({
  code,
  message,
  more_info: `https://www.twilio.com/docs/errors/${code}`,
  status,
});

/** Adds the country code to an American number, as Twilio does. */
function normalise(number: string): string {
  const digits = number.replace(/[^\d+]/g, '');
  return /^\d{10}$/.test(digits) ? `+1${digits}` : digits;
}

/** Twilio: the endpoint that sends a text message. */
export function createTwilio({ config, messages }: Outside): Party {
  const { SANDBOX_TWILIO_ACCOUNT_SID: account, SANDBOX_TWILIO_AUTH_TOKEN: token } = config;
  const authorization = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`;

  return {
    target: 'twilio',
    prefixes: ['/twilio'],
    errorBody: (status, message) => errorBody(status, message, status === 429 ? 20429 : 20500),
    routes: (scope) => {
      scope.post<{ Params: { sid: string } }>(
        '/2010-04-01/Accounts/:sid/Messages.json',
        { config: { operation: 'send' } },
        (request, reply) => {
          if (request.headers.authorization !== authorization || request.params.sid !== account) {
            return reply.code(401).send(errorBody(401, 'Authenticate', 20003));
          }
          const { To, From, Body } = form.catch({ To: '', From: '', Body: '' }).parse(request.body);
          const to = normalise(To);
          const refused = ((): [number, string] | undefined => {
            if (To === '') return [21604, "A 'To' phone number is required."];
            if (From === '') return [21603, "A 'From' phone number is required."];
            if (Body === '') return [21602, 'Message body is required.'];
            if (!E164.test(to)) return [21211, "Invalid 'To' Phone Number"];
            return MAGIC_NUMBERS[to];
          })();
          if (refused) return reply.code(400).send(errorBody(400, refused[1], refused[0]));

          messages.add({ channel: 'sms', to, subject: null, text: Body, html: null, at: now() });
          const sid = `SM${randomBytes(16).toString('hex')}`;
          const uri = `/2010-04-01/Accounts/${account}/Messages/${sid}`;
          const date = new Date().toUTCString();
          return reply.code(201).send({
            sid,
            account_sid: account,
            api_version: '2010-04-01',
            to,
            from: From,
            body: Body,
            status: 'queued',
            direction: 'outbound-api',
            num_segments: '1',
            num_media: '0',
            price: null,
            price_unit: 'USD',
            error_code: null,
            error_message: null,
            messaging_service_sid: null,
            date_created: date,
            date_updated: date,
            date_sent: null,
            uri: `${uri}.json`,
            subresource_uris: { media: `${uri}/Media.json` },
          });
        },
      );
    },
  };
}
