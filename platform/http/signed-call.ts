import { signedHeaders } from '../crypto/signature.js';
import { exchange, type OutboundResponse } from './outbound.js';

/** A party that is called with signed requests: one of our own services, or one that shares the scheme. */
export interface SignedParty {
  party: string;
  baseUrl: string;
  keyId: string;
  secret: string;
}

export interface SignedCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  resource: string;
  /** With the query, beginning with a slash. */
  path: string;
  body?: unknown;
  idempotencyKey?: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** One signed JSON exchange (page 1, Authentication). @throws OutboundError of kind timeout or network */
export function signedCall(to: SignedParty, call: SignedCall): Promise<OutboundResponse> {
  const body = call.body === undefined ? '' : JSON.stringify(call.body);
  return exchange({
    party: to.party,
    method: call.method,
    resource: call.resource,
    url: to.baseUrl + call.path,
    headers: {
      ...signedHeaders(to, body),
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
    },
    ...(body === '' ? {} : { body }),
    timeoutMs: call.timeoutMs,
    signal: call.signal,
  });
}
