import type { SyncVerdict } from '../../domain/bridge/emr-sync.js';
import { first, type Queryable, type Sql } from '../client.js';
import type { Waiting } from '../outbox.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';

export const syncStatuses = ['pending', 'succeeded', 'failed', 'abandoned'] as const;
export type SyncStatus = (typeof syncStatuses)[number];

/** A row of the egress ledger (page 3, Egress). */
export interface SyncAttempt {
  id: string;
  idempotencyKey: string;
  internalEventName: string;
  targetResourceType: string;
  targetResourceId: string;
  /** null when unknown (D96). */
  organizationId: string | null;
  status: SyncStatus;
  attempts: number;
  emrResponseStatus: number | null;
  lastError: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const columns = (sql: Queryable) => sql`
  id, idempotency_key, internal_event_name, target_resource_type, target_resource_id, organization_id, status, attempts,
  emr_response_status, last_error, created_at, updated_at
`;

export type NewSyncAttempt = Pick<
  SyncAttempt,
  'idempotencyKey' | 'internalEventName' | 'targetResourceType' | 'targetResourceId'
> & { organizationId?: string | null; patientId?: string | undefined };

/** The organizations that the caller can see; rows without one need `all` (D96). */
export type Organizations = readonly string[] | 'all';
const within = (sql: Queryable, organizations: Organizations) =>
  organizations === 'all' ? sql`true` : sql`organization_id::text = any(${[...organizations]})`;

/** Finds or creates the row of an idempotency key. */
export async function upsertSyncAttempt(
  sql: Queryable,
  attempt: NewSyncAttempt,
): Promise<{ id: string; status: SyncStatus }> {
  const { idempotencyKey, internalEventName, targetResourceType, targetResourceId } = attempt;
  const { organizationId = null, patientId = null } = attempt;
  // The update makes Postgres return an existing row, too.
  const [row] = await sql<[{ id: string; status: SyncStatus }]>`
    insert into bridge.emr_sync_attempts (
      idempotency_key, internal_event_name, target_resource_type, target_resource_id, organization_id, patient_id
    )
    values (
      ${idempotencyKey}, ${internalEventName}, ${targetResourceType}, ${targetResourceId}, ${organizationId}, ${patientId}
    )
    on conflict (idempotency_key) do update set
      organization_id = coalesce(emr_sync_attempts.organization_id, excluded.organization_id),
      patient_id = coalesce(emr_sync_attempts.patient_id, excluded.patient_id)
    returning id, status
  `;
  return row;
}

/** The state that the workflow of a pending row needs. */
export interface PendingSync {
  internalEventName: string;
  series: number;
  attempts: number;
  firstAttemptAt: Date | null;
  nextAttemptAt: Date | null;
  lastError: string | null;
}

/** @returns undefined when the row is no longer pending */
export const findPendingSync = (sql: Queryable, id: string) =>
  first(sql<PendingSync[]>`
    select internal_event_name, series, attempts, first_attempt_at, next_attempt_at, last_error
    from bridge.emr_sync_attempts
    where id = ${id} and status = 'pending'
  `);

/** Counts an attempt before it is made. @returns undefined when the row is no longer pending */
export const beginSyncAttempt = (sql: Queryable, id: string) =>
  first(sql<{ internalEventName: string; targetResourceId: string }[]>`
    update bridge.emr_sync_attempts set attempts = attempts + 1, updated_at = now()
    where id = ${id} and status = 'pending'
    returning internal_event_name, target_resource_id
  `);

export interface SyncRecord {
  id: string;
  series: number;
  /** Epoch milliseconds. */
  firstAttemptAt: number;
  verdict: SyncVerdict;
  /** The EMR's last status; null keeps the previous one. */
  responseStatus: number | null;
  /** Class and short message. */
  error: string | null;
}

/**
 * Records the result of an attempt, unless an operator has started a new series. Opens a work item for a failed or
 * abandoned row (D109).
 */
export const recordSync = (sql: Sql, record: SyncRecord): Promise<void> =>
  sql.begin(async (sql) => {
    const { id, series, firstAttemptAt, verdict, responseStatus, error } = record;
    const [recorded] = await sql<{ organizationId: string | null; patientId: string | null }[]>`
    update bridge.emr_sync_attempts set
      status = ${verdict.status}, emr_response_status = coalesce(${responseStatus}, emr_response_status),
      last_error = ${error}, first_attempt_at = ${new Date(firstAttemptAt)},
      next_attempt_at = ${verdict.nextAttemptAt === null ? null : new Date(verdict.nextAttemptAt)},
      updated_at = now()
    where id = ${id} and status = 'pending' and series = ${series}
    returning organization_id, patient_id
  `;
    if (!recorded) return;
    const { organizationId, patientId } = recorded;
    const fact = { kind: 'emr_sync_failed', fact: id } as const;
    if (verdict.status === 'succeeded') await closeWorkItem(sql, 'bridge', fact);
    else if (verdict.status !== 'pending')
      await openWorkItem(sql, 'bridge', {
        ...fact,
        reason: verdict.status,
        references: { syncAttemptId: id, ...(patientId === null ? {} : { patientId }) },
        organizationId,
        workflowId: `emr-sync:${id}`,
      });
  });

/**
 * Makes a failed or abandoned row pending again, with a new limit of 24 h.
 * @returns `busy` in any other state; undefined for an unknown id
 */
export const reviveSyncAttempt = (sql: Sql, id: string): Promise<SyncAttempt | 'busy' | undefined> =>
  sql.begin(async (sql) => {
    const { count } = await sql`
      update bridge.emr_sync_attempts set
        status = 'pending', series = series + 1, first_attempt_at = null, next_attempt_at = null, updated_at = now()
      where id = ${id} and status in ('failed', 'abandoned')
    `;
    const attempt = await findSyncAttempt(sql, 'all', id);
    return count === 0 && attempt ? 'busy' : attempt;
  });

export const findSyncAttempt = (sql: Queryable, organizations: Organizations, id: string) =>
  first(sql<SyncAttempt[]>`
    select ${columns(sql)}
    from bridge.emr_sync_attempts
    where id = ${id} and ${within(sql, organizations)}
  `);

export interface SyncFilter {
  status?: SyncStatus | undefined;
  event?: string | undefined;
  /** The last entry of the previous page. */
  before?: { createdAt: Date; id: string } | undefined;
  limit: number;
}

/** Newest first. */
export async function listSyncAttempts(
  sql: Queryable,
  organizations: Organizations,
  filter: SyncFilter,
): Promise<SyncAttempt[]> {
  const { status, event, before, limit } = filter;
  return sql<SyncAttempt[]>`
    select ${columns(sql)}
    from bridge.emr_sync_attempts
    where ${within(sql, organizations)}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${event === undefined ? sql`` : sql`and internal_event_name = ${event}`}
      ${before === undefined ? sql`` : sql`and (created_at, id) < (${before.createdAt}, ${before.id}::uuid)`}
    order by created_at desc, id desc
    limit ${limit}
  `;
}

/** Pending rows that are overdue, oldest first: their workflow may be gone. */
export async function listDueSyncs(
  sql: Queryable,
  { overdueSeconds, limit }: { overdueSeconds: number; limit: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from bridge.emr_sync_attempts
    where status = 'pending'
      and coalesce(next_attempt_at, updated_at) <= now() - make_interval(secs => ${overdueSeconds})
    order by coalesce(next_attempt_at, updated_at)
    limit ${limit}
  `;
  return rows.map(({ id }) => id);
}

/** Keeps the rows that are still due. */
export async function listStillDue(sql: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from bridge.emr_sync_attempts
    where id = any(${ids}::uuid[]) and status = 'pending' and coalesce(next_attempt_at, updated_at) <= now()
  `;
  return rows.map(({ id }) => id);
}

export async function measurePendingSyncs(sql: Queryable): Promise<Waiting> {
  const [row] = await sql<[Waiting]>`
    select count(*)::int as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age_seconds
    from bridge.emr_sync_attempts
    where status = 'pending'
  `;
  return row;
}
