import type { OutboundResponse } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

const timeoutMs = 5_000;

/**
 * Hands a sign-in step of the desk on, with where it came from (D161).
 * @throws OutboundError of kind timeout or network
 */
export const handOnSignIn = (
  organization: SignedParty,
  step: 'send' | 'check',
  body: { email?: unknown; code?: unknown; caller: { ip: string; userAgent: string | null } },
): Promise<OutboundResponse> =>
  signedCall(organization, {
    method: 'POST',
    resource: 'session',
    path: `/desk/sign-in/${step}`,
    body,
    timeoutMs,
  });
