import { createTransport } from 'nodemailer';
import Stripe from 'stripe';
import { Agent, request } from 'undici';
import { signedHeaders } from '../../../platform/crypto/signature.js';
import { setting } from './settings.js';

const dispatcher = new Agent({ connections: 64 });

interface Call {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  timeoutMs?: number;
}

/** One exchange of JSON. It throws for any status but 2xx, and the runner of the step retries. */
export async function exchange<T>(
  url: string,
  { method = 'POST', headers = {}, body = '', timeoutMs = 10_000 }: Call,
): Promise<T> {
  const response = await request(url, {
    method,
    dispatcher,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === '' ? {} : { body }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`answered ${response.statusCode}`);
  return JSON.parse(text) as T;
}

/** A signed POST to our services and the shipping service. */
export function signed<T>(
  url: string,
  key: { keyId: string; secret: string },
  body: object,
  idempotencyKey?: string,
): Promise<T> {
  const text = JSON.stringify(body);
  const headers = {
    ...signedHeaders(key, text),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  };
  return exchange<T>(url, { headers, body: text });
}

/** Caches pharmacy_b's token until it expires. */
let token: { value: string; endsAt: number } | undefined;
export async function pharmacyBToken(): Promise<string> {
  if (token && token.endsAt > Date.now()) return token.value;
  const answer = await exchange<{ access_token: string; expires_in: number }>(
    `${setting('PHARMACY_B_BASE_URL')}/oauth/token`,
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: setting('PHARMACY_B_CLIENT_ID'),
        client_secret: setting('PHARMACY_B_CLIENT_SECRET'),
      }).toString(),
    },
  );
  token = { value: answer.access_token, endsAt: Date.now() + answer.expires_in * 900 };
  return token.value;
}

export function connectStripe(): Stripe {
  const base = new URL(setting('STRIPE_API_BASE'));
  const httpClient = Stripe.createNodeHttpClient();
  const send = httpClient.makeRequest.bind(httpClient);
  httpClient.makeRequest = (host, port, path, ...rest) => send(host, port, base.pathname + path, ...rest);
  return new Stripe(setting('STRIPE_SECRET_KEY'), {
    host: base.hostname,
    port: base.port,
    protocol: 'http',
    telemetry: false,
    httpClient,
  });
}

export function connectMail() {
  const [host, port] = [setting('SMTP_HOST'), Number(setting('SMTP_PORT'))];
  return createTransport({ host, port, pool: true, maxConnections: 5, ignoreTLS: true });
}

export async function sendSms(to: string, text: string): Promise<string> {
  const account = setting('TWILIO_ACCOUNT_SID');
  const { sid } = await exchange<{ sid: string }>(
    `${setting('TWILIO_BASE_URL')}/2010-04-01/Accounts/${account}/Messages.json`,
    {
      headers: {
        authorization: `Basic ${Buffer.from(`${account}:${setting('TWILIO_AUTH_TOKEN')}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ To: to, From: setting('TWILIO_FROM'), Body: text }).toString(),
    },
  );
  return sid;
}
