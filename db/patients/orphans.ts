import { pageAfter, type Queryable, type Sql } from '../client.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';
import { type Organizations, within } from './directory.js';

/** An EMR patient without a directory row. */
export interface Orphan {
  id: string;
  emrPatientId: string;
  mrn: string;
  organizationId: string;
  reason: string;
  createdAt: Date;
  settledAt: Date | null;
  /** The admin; null when a later create adopted the patient. */
  settledBy: string | null;
}

/**
 * Logs EMR patients without a directory row and opens a work item for each (D109). Call it in a transaction.
 * @returns how many are new
 */
export async function insertOrphans(
  sql: Queryable,
  found: { emrPatientIds: readonly string[]; mrn: string; organizationId: string; reason: string },
): Promise<number> {
  const { emrPatientIds, mrn, organizationId, reason } = found;
  const orphans = await sql<Pick<Orphan, 'id' | 'emrPatientId'>[]>`
    insert into patients.orphan_log (emr_patient_id, mrn, organization_id, reason)
    select found.id, ${mrn}, ${organizationId}, ${reason}
    from unnest(${[...emrPatientIds]}::text[]) as found (id)
    where not exists (select from patients.patient_directory where emr_patient_id = found.id)
    on conflict (emr_patient_id) do nothing
    returning id, emr_patient_id
  `;
  for (const { id, emrPatientId } of orphans)
    await openWorkItem(sql, 'patients', {
      ...orphaned(id),
      reason: 'no_directory_row',
      references: { orphanId: id, patientId: emrPatientId },
      organizationId,
    });
  return orphans.length;
}

const orphaned = (id: string) => ({ kind: 'orphan_patient', fact: id }) as const;

/** Closes the entry of an EMR patient that now has a directory row. Call it in a transaction. */
export async function settleAdopted(sql: Queryable, emrPatientId: string): Promise<void> {
  const settled = await sql<Pick<Orphan, 'id'>[]>`
    update patients.orphan_log set settled_at = now()
    where emr_patient_id = ${emrPatientId} and settled_at is null
    returning id
  `;
  for (const { id } of settled) await closeWorkItem(sql, 'patients', orphaned(id));
}

/** Newest first. @param after the id of the last entry on the previous page */
export const listOrphans = (
  sql: Queryable,
  organizations: Organizations,
  { after, limit }: { after?: string | undefined; limit: number },
) =>
  sql<Orphan[]>`
    select id, emr_patient_id, mrn, organization_id, reason, created_at, settled_at, settled_by
    from patients.orphan_log
    where ${within(sql, organizations)} ${pageAfter(sql, 'patients.orphan_log', after)}
    order by created_at desc, id desc
    limit ${limit}
  `;

/** Marks an entry as reconciled. Idempotent. @returns undefined for an unknown one */
export const settleOrphan = (
  sql: Sql,
  organizations: Organizations,
  { id, settledBy }: { id: string; settledBy: string },
): Promise<Orphan | undefined> =>
  sql.begin(async (sql) => {
    const [orphan] = await sql<Orphan[]>`
      update patients.orphan_log set
        settled_by = case when settled_at is null then ${settledBy} else settled_by end,
        settled_at = coalesce(settled_at, now())
      where id = ${id} and ${within(sql, organizations)}
      returning id, emr_patient_id, mrn, organization_id, reason, created_at, settled_at, settled_by
    `;
    if (orphan) await closeWorkItem(sql, 'patients', orphaned(id));
    return orphan;
  });
