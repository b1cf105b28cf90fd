import type { OrganizationStatus, PatientRow } from '../../domain/patients/patient-directory.js';
import { first, type Queryable, type Sql } from '../client.js';
import { findPatient, insertPatient, type NewPatient } from './directory.js';
import { insertOrphans, settleAdopted } from './orphans.js';
import { insertSnapshot, type NewSnapshot } from './snapshots.js';

/** A planned create, committed before the EMR is called (reliability point 3). */
export interface Intent {
  /** The patient's id. */
  id: string;
  mrn: string;
  organizationId: string;
  bodyHash: string;
  state: 'open' | 'completed' | 'failed';
}

/** How long to search the EMR for the result of a create without an answer. */
const lookForHours = 24;
const firstLookSeconds = 10;

/** Locked until the transaction ends. */
export const lockIntent = (sql: Queryable, id: string) =>
  first(sql<Intent[]>`
    select id, mrn, organization_id, body_hash, state from patients.create_intent where id = ${id} for update
  `);

/** The organization's status, locked so that a suspension comes before or after the create. */
export async function lockOrganizationStatus(
  sql: Queryable,
  organizationId: string,
): Promise<OrganizationStatus | undefined> {
  const [row] = await sql<{ status: OrganizationStatus }[]>`
    select status from patients.organization_state where organization_id = ${organizationId} for share
  `;
  return row?.status;
}

/** @returns false when the MRN is in use or reserved */
export async function insertIntent(sql: Queryable, intent: Omit<Intent, 'state'>): Promise<boolean> {
  const { id, mrn, organizationId, bodyHash } = intent;
  const { count } = await sql`
    insert into patients.create_intent (id, mrn, organization_id, body_hash)
    select ${id}, ${mrn}, ${organizationId}, ${bodyHash}
    where not exists (select from patients.patient_directory where upper(mrn) = upper(${mrn}))
    on conflict (upper(mrn)) do nothing
  `;
  return count > 0;
}

/** Resumes a failed intent with its MRN, because the EMR may have a patient under it. */
export async function reopenIntent(sql: Queryable, id: string): Promise<void> {
  await sql`
    update patients.create_intent set state = 'open', look_at = null, updated_at = now() where id = ${id}
  `;
}

/** Drops an intent whose MRN is taken in the EMR; nothing was created under it. */
export async function dropIntent(sql: Queryable, id: string): Promise<void> {
  await sql`delete from patients.create_intent where id = ${id} and state = 'open'`;
}

export interface Commit {
  patient: NewPatient;
  snapshot: NewSnapshot;
  /** Further EMR patients with the same MRN. */
  surplusEmrPatientIds: readonly string[];
  /** An earlier call to the EMR had no answer, so more patients may appear. */
  lookAgain: boolean;
}

/** Stores row, snapshot and event in one transaction (page 3, Atomic create). A repeat returns the stored row. */
export async function commitCreation(sql: Sql, commit: Commit): Promise<PatientRow> {
  const { patient, snapshot, surplusEmrPatientIds, lookAgain } = commit;
  const { id, mrn, organizationId } = patient;
  return sql.begin(async (sql) => {
    const intent = await lockIntent(sql, id);
    const stored =
      intent?.state === 'completed' ? await findPatient(sql, [organizationId], { id }) : undefined;
    if (stored) return stored;
    const row = await insertPatient(sql, patient);
    await insertSnapshot(sql, snapshot);
    await settleAdopted(sql, patient.emrPatientId);
    const reason = 'Another EMR patient has the same MRN and the directory row';
    await insertOrphans(sql, { emrPatientIds: surplusEmrPatientIds, mrn, organizationId, reason });
    await sql`
      update patients.create_intent set
        state = 'completed', updated_at = now(),
        look_at = ${lookAgain ? sql`now() + ${firstLookSeconds} * interval '1 second'` : sql`null`}
      where id = ${id}
    `;
    return row;
  });
}

/**
 * Fails a create. Records its EMR patients as orphans and schedules a search for late ones. A completed create stays.
 */
export async function failCreation(
  sql: Sql,
  failed: { id: string; emrPatientIds: readonly string[]; reason: string },
): Promise<void> {
  await sql.begin(async (sql) => {
    const intent = await lockIntent(sql, failed.id);
    if (!intent || intent.state === 'completed') return;
    await insertOrphans(sql, { ...intent, emrPatientIds: failed.emrPatientIds, reason: failed.reason });
    await closeIntent(sql, failed.id, firstLookSeconds);
  });
}

/** Fails a create whose workflow is gone; the search in the EMR is due at once. */
export async function abandonCreation(sql: Sql, id: string): Promise<void> {
  await sql.begin(async (sql) => {
    const intent = await lockIntent(sql, id);
    if (intent?.state === 'open') await closeIntent(sql, id, 0);
  });
}

async function closeIntent(sql: Queryable, id: string, lookInSeconds: number): Promise<void> {
  await sql`
    update patients.create_intent set
      state = 'failed', updated_at = now(), look_at = now() + ${lookInSeconds} * interval '1 second'
    where id = ${id}
  `;
}

/** Creates that are open for longer than `olderThanSeconds`, oldest first. */
export const listOpenIntents = (sql: Queryable, olderThanSeconds: number) =>
  sql<{ id: string }[]>`
    select id
    from patients.create_intent
    where state = 'open' and updated_at < now() - ${olderThanSeconds} * interval '1 second'
    order by updated_at
    limit 100
  `;

/** Ended creates whose MRN is due for a search in the EMR. */
export const listIntentsToLookAt = (sql: Queryable) =>
  sql<{ id: string; mrn: string }[]>`
    select id, mrn from patients.create_intent where look_at <= now() order by look_at limit 100
  `;

/**
 * Records the EMR patients found for an ended create and schedules the next search. The pause grows with the age of
 * the create.
 * @returns the number of new orphans
 */
export const settleLook = (
  sql: Sql,
  { id, emrPatientIds }: { id: string; emrPatientIds: readonly string[] },
): Promise<number> =>
  sql.begin(async (sql) => {
    const intent = await lockIntent(sql, id);
    // The create was resumed: its workflow records the result.
    if (!intent || intent.state === 'open') return 0;
    const reason = 'Found in the EMR after the create had ended without a directory row for it';
    const orphans = await insertOrphans(sql, { ...intent, emrPatientIds, reason });
    await sql`
      update patients.create_intent set look_at = case
        when updated_at > now() - ${lookForHours} * interval '1 hour'
        then now() + greatest(now() - updated_at, ${firstLookSeconds} * interval '1 second')
      end
      where id = ${id}
    `;
    return orphans;
  });
