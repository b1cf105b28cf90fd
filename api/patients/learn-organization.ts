import { findOrganizationStatus, keepAskedStatus } from '../../db/patients/organizations.js';
import type { OrganizationClient } from '../../integrations/organization/client.js';
import type { OutboundError } from '../../platform/http/outbound.js';
import type { ServiceContext } from '../context.js';
import { frameworkRefused } from '../errors.js';
import { notFound, HttpError, unauthorized } from '../http-errors.js';
import { outboundAs } from '../outcomes.js';

const askTimeoutMs = 5_000;
/** If the error has no `retry-after`: the window of the limits (D6). */
const defaultPauseMs = 60_000;

/**
 * Stores the organization's status if no event has brought it yet. Reads it from the organization service with the
 * caller's token (D73).
 * @throws HttpError 404 for an organization unknown to the caller, 401 and 429 as the service answers, else 502
 */
export async function learnOrganization(
  { sql }: Pick<ServiceContext, 'sql'>,
  organizations: OrganizationClient,
  { organizationId, authorization }: { organizationId: string; authorization: string },
): Promise<void> {
  if ((await findOrganizationStatus(sql, organizationId)) !== undefined) return;
  const status = await organizations
    .statusOf(organizationId, authorization, { timeoutMs: askTimeoutMs })
    .catch(outboundAs(errorOf));
  if (status === undefined) throw notFound();
  await keepAskedStatus(sql, { organizationId, status });
}

/** Passes 401 and 429 on to the caller. Any other error is an outage. */
function errorOf({ fault, message }: OutboundError): Error {
  if (fault.kind === 'status' && fault.status === 401) return unauthorized();
  if (fault.kind !== 'status' || fault.status !== 429)
    return new HttpError(502, message, { code: 'organization_unavailable' });
  const retryAfter = String(Math.ceil((fault.retryAfterMs ?? defaultPauseMs) / 1000));
  return frameworkRefused(429, { 'retry-after': retryAfter });
}
