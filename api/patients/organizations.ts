import { findOrganizationStatus, keepAskedStatus } from '../../db/patients/organizations.js';
import type { OrganizationClient } from '../../integrations/organization/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { ServiceContext } from '../context.js';
import { HttpError, Refused, refusedWith } from '../http-error.js';

const askTimeoutMs = 5_000;
/** Where a refusal does not say how long: the window of the limits (D6). */
const usualPauseMs = 60_000;

/**
 * Makes sure that the organization's state is known here: from its events, else from the organization service, asked
 * in the caller's name (D73).
 * @throws Refused 404 when there is no such organization for the caller, 401 when their token has ended there;
 * HttpError 429 when they have asked there too often, 502 when nobody can tell
 */
export async function learnOrganization(
  { sql }: Pick<ServiceContext, 'sql'>,
  organizations: OrganizationClient,
  { organizationId, authorization }: { organizationId: string; authorization: string },
): Promise<void> {
  if ((await findOrganizationStatus(sql, organizationId)) !== undefined) return;
  const status = await organizations
    .statusOf(organizationId, authorization, { timeoutMs: askTimeoutMs })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? refusalOf(error) : error;
    });
  if (status === undefined) throw new Refused(404, 'Not found');
  await keepAskedStatus(sql, { organizationId, status });
}

/** What the service refused the caller is refused here in the same way; anything else is an outage. */
function refusalOf({ fault, message }: OutboundError): Error {
  if (fault.kind === 'status' && fault.status === 401) return new Refused(401, 'Unauthorized');
  if (fault.kind !== 'status' || fault.status !== 429)
    return refusedWith(502, 'organization_unavailable', message);
  const retryAfter = String(Math.ceil((fault.retryAfterMs ?? usualPauseMs) / 1000));
  const body = { error: 'too_many_requests', message: 'Too many requests' };
  return new HttpError(429, body, { 'retry-after': retryAfter });
}
