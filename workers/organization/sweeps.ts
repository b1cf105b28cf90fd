import { listGivenUpCreations } from '../../db/organization/creations.js';
import { listOverdueDomains } from '../../db/organization/custom-domains.js';
import { dropOldCodes } from '../../db/organization/sign-in-codes.js';
import type { WorkerContext } from '../context.js';
import { discardOrganization, nudgeDomain } from '../../starts/organization.js';

/** Nothing that is well is that late: a look takes at most 6 s. */
const overdueSeconds = 30;
const maxPerSweep = 100;

/** What the organization service's relay looks for beside its outbox. */
export function organizationSweeps(context: WorkerContext): (() => Promise<void>)[] {
  const { sql, temporal } = context;

  /** Hostnames whose run was ended from outside. */
  async function watchOverdue(): Promise<void> {
    for (const hostname of await listOverdueDomains(sql, { overdueSeconds, limit: maxPerSweep }))
      await nudgeDomain(temporal, { hostname, organizationId: null });
  }

  /** Organizations that were being made and that nobody has gone on with: the EMR may hold one. */
  async function discardGivenUp(): Promise<void> {
    for (const organizationId of await listGivenUpCreations(sql, maxPerSweep))
      await discardOrganization(temporal, organizationId);
  }

  return [watchOverdue, discardGivenUp, () => dropOldCodes(sql)];
}
