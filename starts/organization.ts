import type { Client } from '@temporalio/client';
import { idPart } from '../platform/crypto/ids.js';
import { customDomainWorkflowId, discardOrganizationWorkflowId } from '../workflows/ids.js';
import { rxOrganization } from '../workflows/search-attributes.js';
import { begin, nudge, type Run } from './begin.js';

interface Hostname {
  hostname: string;
  organizationId: string | null;
}

const watching = ({ hostname, organizationId }: Hostname): Run<'verifyCustomDomain'> => ({
  workflow: 'verifyCustomDomain',
  id: customDomainWorkflowId(idPart(hostname)),
  queue: 'organization',
  args: [hostname],
  ...(organizationId === null ? {} : { attributes: [{ key: rxOrganization, value: organizationId }] }),
  summary: `Custom domain ${hostname}`,
  details: 'Watches for the DNS record, then for the certificate, for 72 h each.',
});

/** Tells the run that watches a hostname to look at the table again. */
export const nudgeDomain = (temporal: Client, hostname: Hostname): Promise<void> =>
  nudge(temporal, watching(hostname));

/** Takes back an organization that was being made and that nobody has gone on with. */
export async function discardOrganization(temporal: Client, organizationId: string): Promise<void> {
  const run: Run<'discardOrganization'> = {
    workflow: 'discardOrganization',
    id: discardOrganizationWorkflowId(organizationId),
    queue: 'organization',
    args: [organizationId],
    summary: 'Take back an organization that was never finished',
  };
  await begin(temporal, run, 0);
}
