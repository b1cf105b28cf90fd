import { listGivenUpCreations } from '../../db/organization/creations.js';
import { listOverdueDomains } from '../../db/organization/custom-domains.js';
import { dropOldCodes } from '../../db/organization/sign-in-codes.js';
import type { discardOrganization } from '../../workflows/organization/discard-organization.js';
import { discardOrganizationWorkflowId } from '../../workflows/ids.js';
import { taskQueues } from '../../workflows/queues.js';
import type { WorkerContext } from '../context.js';
import { nudgeDomain } from '../../starts/nudge-domain.js';

/** Nothing that is well is that late: a look takes at most 6 s. */
const overdueSeconds = 30;
const maxPerSweep = 100;

/** What the organization service's relay looks for beside its outbox. */
export function organizationSweeps(context: WorkerContext): (() => Promise<void>)[] {
  const { sql, temporal } = context;

  /** Hostnames whose run was ended from outside. */
  async function watchOverdue(): Promise<void> {
    for (const hostname of await listOverdueDomains(sql, { overdueSeconds, limit: maxPerSweep }))
      await nudgeDomain(context, { hostname, organizationId: null });
  }

  /** Organizations that were being made and that nobody has gone on with: the EMR may hold one. */
  async function discardGivenUp(): Promise<void> {
    for (const organizationId of await listGivenUpCreations(sql, maxPerSweep))
      await temporal.workflow.start<typeof discardOrganization>('discardOrganization', {
        workflowId: discardOrganizationWorkflowId(organizationId),
        taskQueue: taskQueues.organization,
        workflowIdConflictPolicy: 'USE_EXISTING',
        args: [organizationId],
        staticSummary: 'Take back an organization that was never finished',
      });
  }

  return [watchOverdue, discardGivenUp, () => dropOldCodes(sql)];
}
