import { createHash } from 'node:crypto';
import { first, type Queryable, type Sql } from '../client.js';
import { lockPatient, type Organizations, within } from './directory.js';

/** A received intake. Only the erasure of its patient changes it. */
export interface NewSnapshot {
  patientId: string;
  organizationId: string;
  intakeType: string;
  /** ISO 8601, from the client. */
  submittedAt: string;
  /** The bytes as sent (D7). */
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
  /** When the payload was overwritten (D94). */
  erasedAt: Date | null;
}

const columns = (sql: Queryable) => sql`
  id, patient_id, organization_id, intake_type, submitted_at, payload, payload_hash, source_ip, user_agent, created_at,
  erased_at
`;

export async function insertSnapshot(sql: Queryable, snapshot: NewSnapshot): Promise<Snapshot> {
  const payloadHash = createHash('sha256').update(snapshot.payload).digest('hex');
  const [stored] = await sql<[Snapshot]>`
    insert into patients.intake_snapshots ${sql({ ...snapshot, payloadHash })}
    returning ${columns(sql)}
  `;
  return stored;
}

/**
 * Adds a re-intake; the directory row stays unchanged.
 * @returns `archived` for an archived patient; undefined when there is none
 */
export const appendSnapshot = (
  sql: Sql,
  organizations: Organizations,
  snapshot: Omit<NewSnapshot, 'organizationId'>,
): Promise<Snapshot | 'archived' | undefined> =>
  sql.begin(async (sql) => {
    const patient = await lockPatient(sql, organizations, snapshot.patientId);
    if (!patient) return undefined;
    if (patient.archived_at !== null) return 'archived';
    return insertSnapshot(sql, { ...snapshot, organizationId: patient.organization_id });
  });

/** A page ends with the snapshot that exceeds this size, so a larger one still fits. */
const pageBytes = 4 * 1024 * 1024;

/** The patient's snapshots, newest first. `next` is the cursor of the next page. */
export async function listSnapshots(
  sql: Queryable,
  organizations: Organizations,
  { patientId, after, limit }: { patientId: string; after?: string | undefined; limit: number },
): Promise<{ snapshots: Snapshot[]; next: string | null }> {
  const rows = await sql<(Snapshot & { found: number })[]>`
    select ${columns(sql)}, found
    from (
      select *, count(*) over ()::int as found, coalesce(
          sum(octet_length(payload)) over (order by sequence desc rows between unbounded preceding and 1 preceding), 0
        ) as bytes_before
      from (
        select *
        from patients.intake_snapshots
        where patient_id = ${patientId} and ${within(sql, organizations)}
          ${
            after === undefined
              ? sql``
              : sql`and sequence < (
                  select sequence from patients.intake_snapshots where id = ${after} and patient_id = ${patientId}
                )`
          }
        order by sequence desc
        limit ${limit + 1}
      ) as candidate
    ) as measured
    where bytes_before < ${pageBytes}
    order by sequence desc
    limit ${limit}
  `;
  const snapshots = rows.map(({ found: _found, ...snapshot }) => snapshot);
  const isLast = (rows[0]?.found ?? 0) === rows.length;
  return { snapshots, next: isLast ? null : (snapshots.at(-1)?.id ?? null) };
}

export const findSnapshot = (
  sql: Queryable,
  organizations: Organizations,
  { patientId, id }: { patientId: string; id: string },
) =>
  first(sql<Snapshot[]>`
    select ${columns(sql)}
    from patients.intake_snapshots
    where patient_id = ${patientId} and id = ${id} and ${within(sql, organizations)}
  `);
