import { closeAccessDays } from '../../db/access/access-days.js';
import { listGivenUpCreations } from '../../db/organization/creations.js';
import { listOverdueDomains } from '../../db/organization/custom-domains.js';
import { dropOldCodes } from '../../db/organization/sign-in-codes.js';
import { discardOrganization, recheckDomain } from '../../starts/organization.js';
import type { Sweep, WorkerContext } from '../context.js';
import { eachRow } from '../each-row.js';
import { stalledEvents } from '../publishing.js';

/** A lookup takes at most 6 s, so a row this late has lost its workflow. */
const overdueSeconds = 30;
const maxPerSweep = 100;

export function organizationSweeps(context: WorkerContext): Sweep[] {
  const { sql, temporal } = context;

  /** Hostnames whose workflow was terminated. */
  async function watchOverdue(): Promise<void> {
    await eachRow(await listOverdueDomains(sql, { overdueSeconds, limit: maxPerSweep }), (hostname) =>
      recheckDomain(temporal, { hostname, organizationId: null }),
    );
  }

  /** Organizations whose creation stopped halfway; the EMR may hold one. */
  async function discardGivenUp(): Promise<void> {
    await eachRow(await listGivenUpCreations(sql, maxPerSweep), (organizationId) =>
      discardOrganization(temporal, organizationId),
    );
  }

  async function dropOldSignInCodes(): Promise<void> {
    await dropOldCodes(sql);
  }

  /** Chains the hashes of the days of access events that have ended (D162). */
  async function closeDays(): Promise<void> {
    await closeAccessDays(sql);
  }

  return [
    watchOverdue,
    discardGivenUp,
    dropOldSignInCodes,
    closeDays,
    stalledEvents(context, 'organization'),
  ];
}
