import { retriedStatuses } from '../../domain/http-status.js';
import type { z } from 'zod';
import { signedHeaders, signedHeadersV2 } from '../crypto/signature.js';
import type { OnCall } from './call-log.js';
import {
  type CallLimits,
  exchange,
  expectOk,
  OutboundError,
  type OutboundResponse,
  parseJson,
} from './outbound.js';

/** A service that takes signed requests: one of ours, or the shipping service. */
export interface SignedParty {
  party: string;
  baseUrl: string;
  keyId: string;
  secret: string;
  /** 1 for the shipping service; our own services sign by version 2 (D158). */
  signatureVersion?: 1;
  onCall?: OnCall | undefined;
}

export interface SignedCall extends CallLimits {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  resource: string;
  /** With a leading slash and the query. */
  path: string;
  body?: unknown;
  idempotencyKey?: string;
}

/** One signed JSON exchange (page 1, Authentication; D91). @throws OutboundError of kind timeout or network */
export function signedCall(to: SignedParty, call: SignedCall): Promise<OutboundResponse> {
  const body = call.body === undefined ? '' : JSON.stringify(call.body);
  const url = to.baseUrl + call.path;
  const { pathname, search } = new URL(url);
  return exchange({
    party: to.party,
    method: call.method,
    resource: call.resource,
    url,
    headers: {
      ...(to.signatureVersion === 1
        ? // Its lists are signed over an empty object.
          signedHeaders(to, body === '' ? '{}' : body)
        : signedHeadersV2(to, { method: call.method, path: pathname + search }, body)),
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
    },
    ...(body === '' ? {} : { body }),
    timeoutMs: call.timeoutMs,
    signal: call.signal,
    onCall: to.onCall,
  });
}

/** A call to one of our own services failed: no response, or a status that only means an outage (D114). */
export class OwnOutage extends OutboundError {
  override name = 'OwnOutage';
}

/**
 * One signed exchange with one of our own services.
 * @param verdict the body of a 502 that reports on an external service; a proxy's 502 has another body
 * @throws OwnOutage
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
  try {
    if (status === 502 && verdict?.safeParse(parseJson(to.party, response)).success === true) return response;
  } catch {
    // Not JSON, so not a verdict.
  }
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
