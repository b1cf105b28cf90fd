import type { ErasureState } from '../../domain/retention/erasures.js';
import { first, type Queryable, type Sql } from '../client.js';
import { lockPatient } from './directory.js';

/** A requested erasure. Contains ids only. */
export interface Erasure {
  id: string;
  patientId: string;
  state: ErasureState;
  requestedAt: Date;
  completedAt: Date | null;
  /** Records stay that only an address links to the patient. */
  leavesByAddress: boolean;
}

const columns = (sql: Queryable) => sql`id, patient_id, state, requested_at, completed_at, leaves_by_address`;

/**
 * Requests the erasure of a patient. A running one is returned; a completed one starts again, for data received
 * since.
 * @param requestedBy the admin
 * @returns `active` for a patient who is not archived; undefined when there is none
 */
export const requestErasure = (
  sql: Sql,
  { patientId, requestedBy }: { patientId: string; requestedBy: string },
): Promise<Erasure | 'active' | undefined> =>
  sql.begin(async (sql) => {
    const patient = await lockPatient(sql, 'all', patientId);
    if (!patient) return undefined;
    if (patient.archived_at === null) return 'active';
    await sql`
      insert into patients.erasure as erasure (patient_id, requested_by)
      values (${patientId}, ${requestedBy})
      on conflict (patient_id) do update set
        state = 'running', requested_by = excluded.requested_by, requested_at = now(), completed_at = null
      where erasure.state = 'completed'
    `;
    const [erasure] = await sql<Erasure[]>`
      select ${columns(sql)} from patients.erasure where patient_id = ${patientId}
    `;
    return erasure;
  });

export const findErasure = (sql: Queryable, id: string) =>
  first(sql<Erasure[]>`select ${columns(sql)} from patients.erasure where id = ${id}`);
