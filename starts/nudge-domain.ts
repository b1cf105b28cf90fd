import { idPart } from '../platform/crypto/ids.js';
import { customDomainWorkflowId } from '../workflows/ids.js';
import { taskQueues } from '../workflows/queues.js';
import { rxOrganization } from '../workflows/search-attributes.js';
import type { verifyCustomDomain } from '../workflows/organization/verify-custom-domain.js';
import type { WorkerContext } from '../workers/context.js';

/** Tells the run that watches a hostname to look at the table again, and starts it where there is none. */
export async function nudgeDomain(
  { temporal }: Pick<WorkerContext, 'temporal'>,
  { hostname, organizationId }: { hostname: string; organizationId: string | null },
): Promise<void> {
  await temporal.workflow.signalWithStart<typeof verifyCustomDomain>('verifyCustomDomain', {
    workflowId: customDomainWorkflowId(idPart(hostname)),
    taskQueue: taskQueues.organization,
    args: [hostname],
    signal: 'nudge',
    signalArgs: [],
    ...(organizationId === null
      ? {}
      : { typedSearchAttributes: [{ key: rxOrganization, value: organizationId }] }),
    staticSummary: `Custom domain ${hostname}`,
    staticDetails: 'Watches for the DNS record, then for the certificate, for 72 h each.',
  });
}
