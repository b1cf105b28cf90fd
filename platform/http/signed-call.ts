import { retriedStatuses } from '../../domain/http-status.js';
import type { z } from 'zod';
import { signedHeaders } from '../crypto/signature.js';
import type { OnCall } from './call-log.js';
import { exchange, expectOk, OutboundError, type OutboundResponse } from './outbound.js';

/** A party that is called with signed requests: one of our own services, or one that shares the scheme. */
export interface SignedParty {
  party: string;
  baseUrl: string;
  keyId: string;
  secret: string;
  onCall?: OnCall | undefined;
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
    onCall: to.onCall,
  });
}

/**
 * One of our own services was refused, reset, late, or answered 5xx without the verdict of the outside party behind it.
 * That is nobody's fault but ours, and says nothing of what was asked (D114).
 */
export class OwnOutage extends OutboundError {
  override name = 'OwnOutage';
}

/**
 * One signed exchange with a service of our own.
 * @param verdict the shape of a 502 that brings the outside party's word; a proxy's 502 has another
 * @throws OwnOutage when there was no answer to go by
 */
export async function callOwnService(
  to: SignedParty,
  call: SignedCall,
  verdict?: z.ZodType,
): Promise<OutboundResponse> {
  const response = await signedCall(to, call).catch((error: unknown) => {
    throw asOwn(error);
  });
  const { status } = response;
  if (status < 500 && !retriedStatuses.includes(status)) return response;
  if (status === 502 && verdict?.safeParse(jsonOf(response)).success === true) return response;
  try {
    return expectOk(to.party, response);
  } catch (error) {
    throw asOwn(error);
  }
}

const asOwn = (error: unknown): unknown =>
  error instanceof OutboundError && error.fault.kind !== 'malformed'
    ? new OwnOutage(error.party, error.fault)
    : error;

function jsonOf({ body }: OutboundResponse): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
