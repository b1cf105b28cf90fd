import { randomUUID } from 'node:crypto';
import { closeAccessDays, listAccessDays } from '../../../db/access/access-days.js';
import type { Sql } from '../../../db/client.js';
import {
  claimCreation,
  claimDiscard,
  forgetCreation,
  storeOrganization,
} from '../../../db/organization/creations.js';
import { activateDomain } from '../../../db/organization/custom-domains.js';

export const restOfOrganization = (sql: Sql): Promise<unknown>[] => [
  endedDays(sql),
  claimDiscard(sql, randomUUID()),
  forgetCreation(sql, randomUUID()),
  storedTwice(sql, randomUUID()),
];

/** The last days of access events have ended and are not closed. */
async function endedDays(sql: Sql): Promise<void> {
  await sql.begin(async (sql) => {
    // A closed day is never deleted otherwise.
    await sql`set local session_replication_role = replica`;
    await sql`delete from access.access_day where day > now() - interval '3 days'`;
    const at = new Date(Date.now() - 2 * 86_400_000);
    const event = { actor: 'test', actorKind: 'system', action: 'test', outcome: 'allowed', at };
    await sql`insert into access.access_event ${sql(event)}`;
    await closeAccessDays(sql);
  });
  await listAccessDays(sql, { before: '2000-01-01', limit: 100 });
}

/** Stores an organization and activates its hostname, and both answers are lost. */
async function storedTwice(sql: Sql, slug: string): Promise<void> {
  const id = await claimCreation(sql, slug);
  if (id === undefined) throw new Error('the slug is in use');
  const by = { adminId: randomUUID(), ip: 'test', userAgent: null };
  const organization = { id, slug, displayName: 'test', kind: 'dtc', emrOrganizationId: 'test' } as const;
  await storeOrganization(sql, organization, by);
  await storeOrganization(sql, organization, by);
  const domainId = randomUUID();
  await sql`
    insert into organization.custom_domain (id, organization_id, hostname, state, verification_token, watched_since)
    values (${domainId}, ${id}, ${slug}, 'pending_tls', 'test', now())
  `;
  await activateDomain(sql, { domainId, by });
  await activateDomain(sql, { domainId, by });
}
