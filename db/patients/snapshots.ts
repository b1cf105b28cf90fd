import { createHash } from 'node:crypto';
import type { Queryable, Sql } from '../client.js';
import { lockPatient, type Organizations, within } from './directory.js';

/** An intake as it was handed in; never changed and never removed. */
export interface NewSnapshot {
  patientId: string;
  organizationId: string;
  intakeType: string;
  /** ISO 8601, as the client has it. */
  submittedAt: string;
  /** The bytes as they were sent (D7). */
  payload: Buffer;
  sourceIp: string;
  userAgent: string | null;
}

export interface Snapshot extends Omit<NewSnapshot, 'submittedAt'> {
  id: string;
  submittedAt: Date;
  /** SHA-256 of the payload, in hex. */
  payloadHash: string;
  createdAt: Date;
}

export async function insertSnapshot(sql: Queryable, snapshot: NewSnapshot): Promise<Snapshot> {
  const payloadHash = createHash('sha256').update(snapshot.payload).digest('hex');
  const [stored] = await sql<Snapshot[]>`
    insert into patients.intake_snapshots ${sql({ ...snapshot, payloadHash })}
    returning id, patient_id, organization_id, intake_type, submitted_at, payload, payload_hash, source_ip, user_agent,
      created_at
  `;
  if (!stored) throw new Error('The snapshot was not stored');
  return stored;
}

/**
 * Adds a re-intake; the directory row stays as it is.
 * @returns `archived` for an archived patient, undefined where there is none
 */
export async function appendSnapshot(
  sql: Sql,
  organizations: Organizations,
  snapshot: Omit<NewSnapshot, 'organizationId'>,
): Promise<Snapshot | 'archived' | undefined> {
  return sql.begin(async (sql) => {
    const patient = await lockPatient(sql, organizations, snapshot.patientId);
    if (!patient) return undefined;
    if (patient.archived_at !== null) return 'archived';
    return insertSnapshot(sql, { ...snapshot, organizationId: patient.organization_id });
  });
}

/** The patient's snapshots, newest first. */
export async function listSnapshots(
  sql: Queryable,
  organizations: Organizations,
  { patientId, id }: { patientId: string; id?: string | undefined },
): Promise<Snapshot[]> {
  return sql<Snapshot[]>`
    select id, patient_id, organization_id, intake_type, submitted_at, payload, payload_hash, source_ip, user_agent,
      created_at
    from patients.intake_snapshots
    where patient_id = ${patientId} and ${within(sql, organizations)}
      ${id === undefined ? sql`` : sql`and id = ${id}`}
    order by sequence desc
  `;
}
