import { conflicting, type Refusal, unknown } from '../../domain/organization/organizations.js';
import { type DomainState, type DomainWatch, newWatch } from '../../domain/organization/custom-domains.js';
import { first, type Queryable, type Sql } from '../client.js';
import { violatedConstraint } from '../constraints.js';
import { publishEvent } from '../outbox.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';
import type { Actor } from '../../domain/organization/actor.js';
import { writeAudit } from './audit.js';
import { changeOrganization } from './organizations.js';
import { type Scope, within } from './scope.js';

export interface CustomDomain {
  id: string;
  organizationId: string;
  /** Lower case. */
  hostname: string;
  state: DomainState;
  verificationToken: string;
  /** The values of the TXT record at the last check; null before it. */
  observed: string[] | null;
  /** A sentence that explains the state. */
  reason: string | null;
  lastCheckedAt: Date | null;
  checks: number;
  watchedSince: Date;
  nextCheckAt: Date | null;
}

const columns = (sql: Queryable) => sql`
  id, organization_id, hostname, state, verification_token, observed, reason, last_checked_at, checks,
  watched_since, next_check_at
`;

export interface DomainKey {
  scope: Scope;
  organizationId: string;
  hostname: string;
}

const inUse = conflicting('The hostname is registered already');

/** @returns a conflict for a hostname that is pending or active in any organization (D78) */
export async function registerDomain(
  sql: Sql,
  { scope, organizationId, hostname }: DomainKey,
  by: Actor,
  verificationToken: string,
): Promise<CustomDomain | Refusal> {
  try {
    return await changeOrganization(sql, scope, organizationId, async (sql) => {
      const { state, ...watch } = columnsOf(newWatch('pending_dns', Date.now()));
      const [domain] = await sql<[CustomDomain]>`
        insert into organization.custom_domain ${sql({ organizationId, hostname, state, verificationToken, ...watch })}
        returning ${columns(sql)}
      `;
      await publishDomain(sql, domain, 'organization.custom_domain_registered', by);
      return domain;
    });
  } catch (error) {
    if (violatedConstraint(error) === 'custom_domain_in_use') return inUse;
    throw error;
  }
}

/** In the order of registration, including deactivated ones. */
export const listDomains = (sql: Queryable, scope: Scope, organizationId: string) =>
  sql<CustomDomain[]>`
    select ${columns(sql)}
    from organization.custom_domain
    where organization_id = ${organizationId} and ${within(sql, scope, 'organization_id')}
    order by position
  `;

/** The latest registration of the hostname. */
export const findDomain = (sql: Queryable, { scope, organizationId, hostname }: DomainKey) =>
  first(sql<CustomDomain[]>`
    select ${columns(sql)}
    from organization.custom_domain
    where hostname = ${hostname} and organization_id = ${organizationId}
      and ${within(sql, scope, 'organization_id')}
    order by position desc
    limit 1
  `);

/** Deactivates a hostname in any state (D78). Idempotent. */
export async function deactivateDomain(sql: Sql, key: DomainKey, by: Actor): Promise<CustomDomain | Refusal> {
  return changeOrganization(sql, key.scope, key.organizationId, async (sql) => {
    const domain = await findDomain(sql, key);
    if (!domain) return unknown('Custom domain');
    if (domain.state === 'deactivated') return domain;
    const [deactivated] = await sql<[CustomDomain]>`
      update organization.custom_domain set
        state = 'deactivated', next_check_at = null, reason = null, updated_at = now()
      where id = ${domain.id}
      returning ${columns(sql)}
    `;
    await closeWorkItem(sql, 'organization', unverified(deactivated));
    await publishDomain(sql, deactivated, 'organization.custom_domain_deactivated', by);
    return deactivated;
  });
}

/** The pending hostname for its workflow, unless the organization is archived. */
export const findWatchedDomain = (sql: Queryable, hostname: string) =>
  first(sql<CustomDomain[]>`
    select ${columns(sql)}
    from organization.custom_domain
    where hostname = ${hostname} and state in ('pending_dns', 'pending_tls') and exists (
      select from organization.organization tenant where tenant.id = organization_id and tenant.status <> 'archived'
    )
  `);

/** The result of a check; `watch` has the time of the next one. */
export interface RecordedLook {
  domainId: string;
  /** The state before the check. */
  from: DomainState;
  watch: DomainWatch;
  /** Undefined when only TLS was checked. */
  observed?: string[];
  reason: string | null;
  /** Epoch milliseconds. */
  checkedAt: number;
  /** The admin who requested the check; null for a scheduled one. */
  by: Actor | null;
}

/**
 * Records a check, unless the state has changed meanwhile. Opens a work item when no further check is scheduled
 * (D109).
 */
export async function recordLook(sql: Sql, look: RecordedLook): Promise<void> {
  const { domainId, from, watch, observed, reason, checkedAt, by } = look;
  await sql.begin(async (sql) => {
    const [domain] = await sql<CustomDomain[]>`
      update organization.custom_domain set ${sql({
        ...columnsOf(watch),
        reason,
        lastCheckedAt: new Date(checkedAt),
        updatedAt: new Date(),
        ...(observed === undefined ? {} : { observed }),
      })}
      where id = ${domainId} and state = ${from}
      returning ${columns(sql)}
    `;
    if (!domain) return;
    if (domain.nextCheckAt === null) await reportUnverified(sql, domain);
    else if (domain.state !== from) await closeWorkItem(sql, 'organization', unverified(domain));
    if (!by || domain.state === from) return;
    await writeAudit(sql, by, {
      action: 'organization.custom_domain_verified',
      target: `custom_domain:${domain.hostname}`,
      organizationId: domain.organizationId,
    });
  });
}

/**
 * Activates a hostname in state `pending_tls`.
 * @returns true also for a repeat; false in other states and for an archived organization (D74)
 */
export const activateDomain = (
  sql: Sql,
  { domainId, by }: { domainId: string; by: Actor },
): Promise<boolean> =>
  sql.begin(async (sql) => {
    // The lock orders the events of an organization.
    const [tenant] = await sql<{ isArchived: boolean }[]>`
      select tenant.status = 'archived' as is_archived
      from organization.custom_domain domain
      join organization.organization tenant on tenant.id = domain.organization_id
      where domain.id = ${domainId}
      for update of tenant
    `;
    if (!tenant) return false;
    const [activated] = await sql<CustomDomain[]>`
      update organization.custom_domain set
        state = 'active', next_check_at = null, reason = null, last_checked_at = now(), updated_at = now()
      where id = ${domainId} and state = 'pending_tls' and not ${tenant.isArchived}
      returning ${columns(sql)}
    `;
    if (activated) {
      await closeWorkItem(sql, 'organization', unverified(activated));
      await publishDomain(sql, activated, 'organization.custom_domain_activated', by);
      return true;
    }
    // Read after taking the lock, so that a concurrent activation is visible.
    const before = await sql`
      select from organization.custom_domain where id = ${domainId} and state = 'active'
    `;
    return before.length > 0;
  });

/** Pending hostnames whose check is overdue: their workflow may be gone. */
export async function listOverdueDomains(
  sql: Queryable,
  { overdueSeconds, limit }: { overdueSeconds: number; limit: number },
): Promise<string[]> {
  const rows = await sql<{ hostname: string }[]>`
    select domain.hostname
    from organization.custom_domain domain
    join organization.organization tenant on tenant.id = domain.organization_id
    where domain.next_check_at < now() - ${overdueSeconds} * interval '1 second'
      and domain.state in ('pending_dns', 'pending_tls') and tenant.status <> 'archived'
    order by domain.next_check_at
    limit ${limit}
  `;
  return rows.map(({ hostname }) => hostname);
}

const reportUnverified = (sql: Queryable, domain: CustomDomain): Promise<void> =>
  openWorkItem(sql, 'organization', {
    ...unverified(domain),
    reason: domain.state === 'pending_dns' ? 'no_record' : 'no_certificate',
    references: { domainId: domain.id, hostname: domain.hostname },
    organizationId: domain.organizationId,
    workflowId: `domain:${domain.hostname}`,
  });

const unverified = ({ id }: Pick<CustomDomain, 'id'>) => ({ kind: 'domain_unverified', fact: id }) as const;

const columnsOf = ({ state, checks, watchedSince, nextCheckAt }: DomainWatch) => ({
  state,
  checks,
  watchedSince: new Date(watchedSince),
  nextCheckAt: nextCheckAt === null ? null : new Date(nextCheckAt),
});

async function publishDomain(
  sql: Queryable,
  { organizationId, hostname, state }: CustomDomain,
  detailType: `organization.custom_domain_${string}`,
  by: Actor,
): Promise<void> {
  await writeAudit(sql, by, { action: detailType, target: `custom_domain:${hostname}`, organizationId });
  await publishEvent(sql, 'organization', {
    detailType,
    aggregateId: organizationId,
    organizationId,
    detail: { organizationId, hostname, state },
  });
}
