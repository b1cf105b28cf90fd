import { isUuid, type Queryable } from '../client.js';
import { type Organizations, within } from './directory.js';

const maxFound = 20;

interface Found {
  id: string;
  organizationId: string;
  emrPatientId: string | null;
  createdAt: Date;
  archivedAt: Date | null;
}

/** Patients with any of these marks, newest first. Each condition has an index. */
export const findForDesk = (
  sql: Queryable,
  organizations: Organizations,
  { q, emrPatientIds }: { q?: string | undefined; emrPatientIds: readonly string[] },
) =>
  sql<Found[]>`
    select id, organization_id, emr_patient_id, created_at, archived_at
    from patients.patient_directory
    where ${within(sql, organizations)} and (
      emr_patient_id = any(${sql.array([...emrPatientIds])}::text[])
      ${
        q === undefined
          ? sql``
          : sql`
            or emr_patient_id = ${q} or upper(mrn) = upper(${q}) or email_lower = lower(${q})
            or id = ${isUuid(q) ? q : null}::uuid
          `
      }
    )
    order by created_at desc, id desc
    limit ${Math.max(maxFound, emrPatientIds.length)}
  `;
