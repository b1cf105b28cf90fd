import { findOrganizationStatus, keepAskedStatus } from '../../db/patients/organizations.js';
import type { OrganizationClient } from '../../integrations/organization/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { ServiceContext } from '../context.js';
import { Refused, refusedWith } from '../http-error.js';

const askTimeoutMs = 5_000;

/**
 * Makes sure that the organization's state is known here: from its events, else from the organization service, asked
 * in the caller's name (D73).
 * @throws Refused 404 when there is no such organization for the caller; HttpError 502 when nobody can tell
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
      if (!(error instanceof OutboundError)) throw error;
      throw refusedWith(502, 'organization_unavailable', error.message);
    });
  if (status === undefined) throw new Refused(404, 'Not found');
  await keepAskedStatus(sql, { organizationId, status });
}
