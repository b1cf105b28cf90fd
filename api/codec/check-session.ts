import { createOrganizationClient } from '../../integrations/organization/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { HttpError, unauthorized } from '../http-errors.js';

const timeoutMs = 2_000;
/** With the time of the answer it makes less than the 5 s within which a token ends everywhere (D72). */
const trustedForMs = 3_000;

/**
 * Asks the organization service, which alone knows which tokens have ended, with the token itself: the codec server
 * hears no events.
 * @returns a function that throws Refused 401 for a token that has ended, 503 when nobody can say
 */
export function createSessionCheck(settings: { baseUrl: string }): (authorization: string) => Promise<void> {
  const organizations = createOrganizationClient(settings);
  const trustedUntil = new Map<string, number>();
  return async (authorization) => {
    const now = Date.now();
    for (const [known, until] of trustedUntil) if (until <= now) trustedUntil.delete(known);
    if (trustedUntil.has(authorization)) return;
    const isAdmitted = await organizations.admits(authorization, { timeoutMs }).catch((error: unknown) => {
      throw error instanceof OutboundError ? nobodyKnows() : error;
    });
    if (!isAdmitted) throw unauthorized();
    trustedUntil.set(authorization, now + trustedForMs);
  };
}

const nobodyKnows = () =>
  new HttpError(503, 'The organization service is unavailable', { headers: { 'retry-after': '5' } });
