import { findOrganizationStatus, keepAskedStatus } from '../../db/patients/organizations.js';
import type { OrganizationClient } from '../../integrations/organization/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { ServiceContext } from '../context.js';
import { standardError } from '../errors.js';
import { notFound, HttpError, unauthorized } from '../http-errors.js';

const askTimeoutMs = 5_000;
/** Where a refusal does not say how long: the window of the limits (D6). */
const usualPauseMs = 60_000;

/**
 * Makes sure that the organization's state is known here: from its events, else from the organization service, asked
 * in the caller's name (D73).
 * @throws Refused 404 when there is no such organization for the caller, 401 when their token has ended there, 429 when
 * they have asked there too often, 502 when nobody can tell
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
  if (status === undefined) throw notFound();
  await keepAskedStatus(sql, { organizationId, status });
}

/** What the service refused the caller is refused here in the same way; anything else is an outage. */
function refusalOf({ fault, message }: OutboundError): Error {
  if (fault.kind === 'status' && fault.status === 401) return unauthorized();
  if (fault.kind !== 'status' || fault.status !== 429)
    return new HttpError(502, message, { code: 'organization_unavailable' });
  const retryAfter = String(Math.ceil((fault.retryAfterMs ?? usualPauseMs) / 1000));
  return standardError(429, { 'retry-after': retryAfter });
}
