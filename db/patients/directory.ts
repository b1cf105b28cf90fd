import type {
  Backfill,
  EmailMatch,
  IdentifierDiff,
  PatientRow,
} from '../../domain/patients/patient-directory.js';
import { judgeBackfill } from '../../domain/patients/patient-directory.js';
import { first, type Queryable, type Sql } from '../client.js';
import { publishEvent } from '../outbox.js';

/** The organizations whose patients a query can access (reliability point 10). */
export type Organizations = readonly string[] | 'all';

export type PatientKey = { id: string } | { mrn: string } | { emrPatientId: string };

interface StoredPatient {
  id: string;
  mrn: string;
  organizationId: string;
  emrPatientId: string | null;
  paymentCustomerId: string | null;
  identityProviderId: string | null;
  legacyMrn: string | null;
  emailLower: string | null;
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
}

const columns = (sql: Queryable) => sql`
  id, mrn, organization_id, emr_patient_id, payment_customer_id, identity_provider_id, legacy_mrn, email_lower,
  created_at, updated_at, archived_at
`;

/** Only superadmins see patients of archived organizations (page 3, Organization status). */
export const within = (sql: Queryable, organizations: Organizations) =>
  organizations === 'all'
    ? sql`true`
    : sql`
        organization_id::text = any(${[...organizations]}) and not exists (
          select from patients.organization_state as known (id, status)
          where known.id = organization_id and known.status = 'archived'
        )
      `;

/** @returns undefined for an unknown patient, and for one of another organization (D77) */
export async function findPatient(
  sql: Queryable,
  organizations: Organizations,
  key: PatientKey,
): Promise<PatientRow | undefined> {
  const [stored] = await sql<StoredPatient[]>`
    select ${columns(sql)}
    from patients.patient_directory
    where ${matching(sql, key)} and ${within(sql, organizations)}
  `;
  return stored && rowOf(stored);
}

function matching(sql: Queryable, key: PatientKey) {
  if ('id' in key) return sql`id = ${key.id}`;
  if ('mrn' in key) return sql`upper(mrn) = ${key.mrn.toUpperCase()}`;
  return sql`emr_patient_id = ${key.emrPatientId}`;
}

/** The best match of an e-mail address: the own organization first, then active patients (D76). */
export const findByEmail = (
  sql: Queryable,
  { organizationId, email }: { organizationId: string; email: string },
) =>
  first(sql<EmailMatch[]>`
    select organization_id = ${organizationId} as in_your_org, archived_at is not null as is_archived,
      identity_provider_id is not null as has_identity_provider
    from patients.patient_directory
    where email_lower = ${email.toLowerCase()}
    order by in_your_org desc, is_archived, has_identity_provider desc
    limit 1
  `);

export type NewPatient = Omit<StoredPatient, 'emrPatientId' | 'emailLower' | `${string}At`> & {
  emrPatientId: string;
  emailLower: string;
};

/** Adds the row and publishes `patient.created`, in the transaction of the create. */
export async function insertPatient(sql: Queryable, patient: NewPatient): Promise<PatientRow> {
  const [stored] = await sql<[StoredPatient]>`
    insert into patients.patient_directory ${sql({ ...patient })} returning ${columns(sql)}
  `;
  const { id: patientId, emrPatientId, mrn, organizationId, emailLower: contactEmailForMatch } = patient;
  await publishEvent(sql, 'patients', {
    detailType: 'patient.created',
    aggregateId: patientId,
    organizationId,
    detail: { patientId, emrPatientId, mrn, organizationId, contactEmailForMatch },
  });
  return rowOf(stored);
}

/**
 * Fills identifiers under the PATCH rules and publishes `patient.identifier_updated`.
 * @returns the row, why it stays unchanged, or undefined when there is none
 * @throws when another patient has the EMR patient id (constraint patient_directory_emr_patient)
 */
export const backfillPatient = (
  sql: Sql,
  organizations: Organizations,
  { id, wanted }: { id: string; wanted: Backfill },
): Promise<PatientRow | Extract<ReturnType<typeof judgeBackfill>, { refused: string }> | undefined> =>
  sql.begin(async (sql) => {
    const row = await lockPatient(sql, organizations, id);
    if (!row) return undefined;
    const verdict = judgeBackfill(row, wanted);
    if ('refused' in verdict) return verdict;
    const { changes, diff } = verdict;
    if (Object.keys(changes).length === 0) return row;
    // Data under the former address is the patient's too (D94).
    const keepAddress =
      changes.email_lower === undefined
        ? sql``
        : sql`former_emails = array_remove(former_emails || email_lower, null),`;
    const [stored] = await sql<[StoredPatient]>`
      update patients.patient_directory set ${sql({ ...changes })}, ${keepAddress} updated_at = now()
      where id = ${id}
      returning ${columns(sql)}
    `;
    if (Object.keys(diff).length > 0) await publishIdentifiers(sql, row, diff);
    return rowOf(stored);
  });

async function publishIdentifiers(
  sql: Queryable,
  { id, organization_id }: PatientRow,
  diff: IdentifierDiff,
): Promise<void> {
  await publishEvent(sql, 'patients', {
    detailType: 'patient.identifier_updated',
    aggregateId: id,
    organizationId: organization_id,
    detail: { patientId: id, organizationId: organization_id, diff },
  });
}

/** Archives a patient and publishes `patient.archived`. Idempotent (D75). */
export const archivePatient = (
  sql: Sql,
  organizations: Organizations,
  id: string,
): Promise<PatientRow | undefined> =>
  sql.begin(async (sql) => {
    const row = await lockPatient(sql, organizations, id);
    if (row?.archived_at !== null) return row;
    const [stored] = await sql<[StoredPatient]>`
      update patients.patient_directory set archived_at = now(), updated_at = now()
      where id = ${id}
      returning ${columns(sql)}
    `;
    const archived = rowOf(stored);
    await publishEvent(sql, 'patients', {
      detailType: 'patient.archived',
      aggregateId: id,
      organizationId: row.organization_id,
      detail: {
        patientId: id,
        emrPatientId: row.emr_patient_id,
        organizationId: row.organization_id,
        archivedAt: archived.archived_at,
      },
    });
    return archived;
  });

/** Locks the row until the transaction ends, which orders the patient's events. */
export async function lockPatient(
  sql: Queryable,
  organizations: Organizations,
  id: string,
): Promise<PatientRow | undefined> {
  const [stored] = await sql<StoredPatient[]>`
    select ${columns(sql)}
    from patients.patient_directory
    where id = ${id} and ${within(sql, organizations)}
    for update
  `;
  return stored && rowOf(stored);
}

const rowOf = (stored: StoredPatient): PatientRow => ({
  id: stored.id,
  mrn: stored.mrn,
  organization_id: stored.organizationId,
  emr_patient_id: stored.emrPatientId,
  payment_customer_id: stored.paymentCustomerId,
  identity_provider_id: stored.identityProviderId,
  legacy_mrn: stored.legacyMrn,
  email_lower: stored.emailLower,
  created_at: stored.createdAt.toISOString(),
  updated_at: stored.updatedAt.toISOString(),
  archived_at: stored.archivedAt?.toISOString() ?? null,
});
