import type { z } from 'zod';
import { expectOk, OutboundError, type OutboundResponse } from './outbound.js';
import { signedCall, type SignedCall, type SignedParty } from './signed-call.js';

/**
 * One of our own services was refused, reset, late, or answered 5xx without the verdict of the outside party behind it.
 * That is nobody's fault but ours, and says nothing of what was asked (D114).
 */
export class OwnOutage extends OutboundError {
  override name = 'OwnOutage';
}

/** Statuses that say «later», beside 5xx. */
const laterStatuses = new Set([408, 425, 429]);

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
  if (status < 500 && !laterStatuses.has(status)) return response;
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
