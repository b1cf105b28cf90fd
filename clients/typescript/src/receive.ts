import { fromBase64, fromHex, hmacMatches, joined, sha256Hex, toBase64 } from './hmac.js';
import type { components as bridge } from './pages/bridge.js';
import type { components as orchestrator } from './pages/orchestrator.js';
import type { components as router } from './pages/router.js';

/** The state of a submission (the router's `prescriptionCallback`). */
export type Callback = router['schemas']['InitialCallback'] | router['schemas']['UpdateCallback'];
/** A CloudEvent (the `event` of organization, patients and bridge). */
export type ScriptrailEvent = bridge['schemas']['CloudEvent'];
/** Events of the orchestrator in the order of their sequence, 1 to 100, as an event endpoint receives them. */
export interface Delivery {
  events: orchestrator['schemas']['ClientEvent'][];
}

/** The reason for a rejection. Answer 401 to the first three and 400 to the last. */
export type Reason = 'missing_headers' | 'expired' | 'wrong_signature' | 'malformed';

export type Verified<Payload> =
  { ok: true; id: string; signedAt: Date; payload: Payload } | { ok: false; reason: Reason };

export interface Received {
  /** The headers as your framework provides them. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The received bytes: a parsed and serialized body differs from them. */
  body: Uint8Array | string;
}

export interface VerifyOptions {
  /** Maximum age of the signature; default five minutes. */
  toleranceMs?: number;
}

const fiveMinutesMs = 5 * 60_000;

/**
 * Verifies a callback of the router. A repeat has the same `id`; answer 2xx to it too.
 * @param secrets of the key that submitted; both during a rotation
 */
export const verifyCallback = (
  received: Received,
  secrets: string | readonly string[],
  options?: VerifyOptions,
): Promise<Verified<Callback>> =>
  verify(
    received,
    secrets,
    options,
    (payload): payload is Callback => isText(payload['submissionId']) && isText(payload['status']),
  );

/**
 * Verifies an event. A repeat has the same `id`; answer 2xx to it too.
 * @param secrets of the event sink; both during a rotation
 */
export const verifyEvent = (
  received: Received,
  secrets: string | readonly string[],
  options?: VerifyOptions,
): Promise<Verified<ScriptrailEvent>> =>
  verify(
    received,
    secrets,
    options,
    (payload): payload is ScriptrailEvent => payload['specversion'] === '1.0' && isText(payload['type']),
  );

/**
 * Verifies a delivery to an event endpoint. A repeat has the same `id` and events; answer 2xx to it too.
 * @param secrets of the key that set the endpoint; both during a rotation
 */
export const verifyDelivery = (
  received: Received,
  secrets: string | readonly string[],
  options?: VerifyOptions,
): Promise<Verified<Delivery>> =>
  verify(received, secrets, options, (payload): payload is Delivery & Record<string, unknown> =>
    Array.isArray(payload['events']),
  );

/** Converts a secret to the form of Standard Webhooks libraries. */
export const standardSecret = (secret: string): string => `whsec_${toBase64(joined(secret))}`;

async function verify<Payload extends object>(
  { headers, body }: Received,
  secrets: string | readonly string[],
  { toleranceMs = fiveMinutesMs }: VerifyOptions = {},
  isPayload: (payload: Record<string, unknown>) => payload is Payload & Record<string, unknown>,
): Promise<Verified<Payload>> {
  const timestamp = headerOf(headers, 'x-timestamp');
  const signature = headerOf(headers, 'x-signature');
  if (timestamp === undefined || signature === undefined) return { ok: false, reason: 'missing_headers' };
  const signedAt = new Date(timestamp);
  // Also rejects a text that is no time.
  if (!(Math.abs(Date.now() - signedAt.getTime()) <= toleranceMs)) return { ok: false, reason: 'expired' };
  const message = joined(`${timestamp}.`, body);
  const given = fromHex(signature);
  const matches = given
    ? await Promise.all([secrets].flat().map((secret) => hmacMatches(secret, message, given)))
    : [];
  if (!matches.includes(true)) return { ok: false, reason: 'wrong_signature' };
  const payload = parsed(body);
  if (typeof payload !== 'object' || payload === null || !isPayload(payload as Record<string, unknown>))
    return { ok: false, reason: 'malformed' };
  return { ok: true, id: await signedId(headers, body, secrets), signedAt, payload: payload as Payload };
}

/**
 * The id that a signature covers, because `X-Signature` covers no id: `webhook-id` under a right `webhook-signature`
 * (Standard Webhooks), else the hash of the body.
 */
async function signedId(
  headers: Received['headers'],
  body: Received['body'],
  secrets: string | readonly string[],
): Promise<string> {
  const id = headerOf(headers, 'webhook-id');
  const seconds = headerOf(headers, 'webhook-timestamp');
  const message = joined(`${id ?? ''}.${seconds ?? ''}.`, body);
  for (const each of (headerOf(headers, 'webhook-signature') ?? '').split(' ')) {
    const given = id !== undefined && each.startsWith('v1,') ? fromBase64(each.slice(3)) : undefined;
    if (id === undefined || !given) continue;
    const matches = await Promise.all([secrets].flat().map((secret) => hmacMatches(secret, message, given)));
    if (matches.includes(true)) return id;
  }
  return sha256Hex(body);
}

const isText = (value: unknown): value is string => typeof value === 'string';

function headerOf(headers: Received['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : undefined;
}

function parsed(body: Uint8Array | string): unknown {
  try {
    return JSON.parse(
      typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body),
    );
  } catch {
    return undefined;
  }
}
