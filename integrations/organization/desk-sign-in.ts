import { exchange, type OutboundResponse } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

const timeoutMs = 5_000;

/**
 * Renews or ends the session of the admin who holds the token (D142).
 * @throws OutboundError of kind timeout or network
 */
export const handOnSession = (
  { party, baseUrl }: SignedParty,
  step: 'refresh' | 'sign-out',
  authorization: string,
): Promise<OutboundResponse> =>
  exchange({
    party,
    method: 'POST',
    resource: 'session',
    url: `${baseUrl}/v1/auth/${step}`,
    headers: { authorization },
    timeoutMs,
  });

/**
 * Hands a sign-in step of the desk on, with where it came from (D161).
 * @throws OutboundError of kind timeout or network
 */
export const handOnSignIn = (
  organization: SignedParty,
  step: 'send' | 'check' | 'exchange',
  body: {
    email?: unknown;
    code?: unknown;
    idToken?: unknown;
    caller: { ip: string; userAgent: string | null };
  },
): Promise<OutboundResponse> =>
  signedCall(organization, {
    method: 'POST',
    resource: 'session',
    path: `/desk/sign-in/${step}`,
    body,
    timeoutMs,
  });
