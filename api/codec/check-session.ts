import { createOrganizationClient } from '../../integrations/organization/client.js';
import { HttpError, unauthorized } from '../http-errors.js';
import { outboundAs } from '../outcomes.js';

const timeoutMs = 2_000;
/** Together with the timeout at most the 5 s within which a token ends everywhere (D72). */
const trustedForMs = 3_000;

/**
 * Checks a token with the organization service, because the codec server receives no events.
 * @returns a function that throws HttpError 401 for an ended token, 503 when the organization service is unavailable
 */
export function createSessionCheck(settings: { baseUrl: string }): (authorization: string) => Promise<void> {
  const organizations = createOrganizationClient(settings);
  const trustedUntil = new Map<string, number>();
  return async (authorization) => {
    const now = Date.now();
    for (const [known, until] of trustedUntil) if (until <= now) trustedUntil.delete(known);
    if (trustedUntil.has(authorization)) return;
    const isAdmitted = await organizations
      .admits(authorization, { timeoutMs })
      .catch(outboundAs(unavailable));
    if (!isAdmitted) throw unauthorized();
    trustedUntil.set(authorization, now + trustedForMs);
  };
}

const unavailable = () =>
  new HttpError(503, 'The organization service is unavailable', { headers: { 'retry-after': '5' } });
