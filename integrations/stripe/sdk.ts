import Stripe from 'stripe';
import { noteCall, type OnCall } from '../../platform/http/call-log.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { inSpan } from '../../platform/tracing.js';

export const party = 'Payment processor';

export interface ProcessorSettings {
  apiBase: string;
  secretKey: string;
  onCall?: OnCall | undefined;
}

/** The SDK takes only host and port, so the path of the configured base is added to every call. */
export function connect({ apiBase, secretKey, onCall }: ProcessorSettings): Stripe {
  const base = new URL(apiBase);
  const prefix = base.pathname.replace(/\/$/, '');
  return new Stripe(secretKey, {
    host: base.hostname,
    port: base.port === '' ? (base.protocol === 'https:' ? 443 : 80) : Number(base.port),
    protocol: base.protocol === 'https:' ? 'https' : 'http',
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient((input, init) => {
      const url = new URL(input instanceof Request ? input.url : String(input));
      url.pathname = prefix + url.pathname;
      // SDK and fetch both set it, which newer undici rejects.
      const headers = new Headers(init?.headers);
      headers.delete('content-length');
      return noting(url, { ...init, headers }, onCall);
    }),
  });
}

/** Records the SDK's calls in the log of calls. */
async function noting(url: URL, init: RequestInit, onCall?: OnCall): Promise<Response> {
  const startedMs = Date.now();
  const [resource = ''] = /(?<=\/v1\/)[a-z_]+/.exec(url.pathname) ?? [];
  const note = (status: number | null, error: string | null) => {
    const durationMs = Date.now() - startedMs;
    noteCall({ party, method: init.method ?? 'GET', resource, status, error, durationMs }, onCall);
  };
  try {
    const name = `${party} ${init.method ?? 'GET'} ${resource}`;
    const response = await inSpan(name, { kind: 'client' }, () => fetch(url, init));
    note(response.status, null);
    return response;
  } catch (error) {
    note(null, 'no answer');
    throw error;
  }
}

/** Converts the SDK's errors. Drops their messages, which may quote the request. */
export function asOutbound(error: unknown, timeoutMs: number): unknown {
  if (error instanceof OutboundError) return error;
  if (error instanceof Stripe.errors.StripeConnectionError) {
    const timedOut = /timed? ?out|aborted/i.test(error.message);
    return new OutboundError(
      party,
      timedOut ? { kind: 'timeout', timeoutMs } : { kind: 'network', code: 'connection' },
    );
  }
  if (error instanceof Stripe.errors.StripeError) {
    // A call with the same key still runs.
    const status = error.code === 'idempotency_key_in_use' ? 429 : (error.statusCode ?? 500);
    return new OutboundError(party, { kind: 'status', status, body: '' });
  }
  return error;
}

/** Returns undefined for a 404. @throws OutboundError */
export async function unlessMissing<T>(timeoutMs: number, look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404)
      return undefined;
    throw asOutbound(error, timeoutMs);
  }
}
