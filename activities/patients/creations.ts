import { isRefusedByDatabase } from '../../db/constraints.js';
import type { Queryable, Sql } from '../../db/client.js';
import {
  type Commit,
  commitCreation,
  dropIntent,
  failCreation,
  insertIntent,
  lockIntent,
  lockOrganizationStatus,
  reopenIntent,
} from '../../db/patients/creations.js';
import { findPatient } from '../../db/patients/directory.js';
import { failureTypes } from '../../domain/failures.js';
import { keyUsedOtherwiseText } from '../../domain/idempotency.js';
import { mrnAttempts, mrnFrom, mrnLength } from '../../domain/patients/mrn.js';
import {
  mrnExhaustedText,
  organizationClosedText,
  type PatientRow,
} from '../../domain/patients/patient-directory.js';
import { permanentFailure } from '../calls.js';

export interface Reservation {
  /** The patient's id. */
  id: string;
  organizationId: string;
  /** Distinguishes a repeat from another request under the same key. */
  bodyHash: string;
}

/** The patient's new number, or the patient that an earlier run created. */
export type Reserved =
  | {
      mrn: string;
      /** No call has used the number, so an EMR patient under it is somebody else. */
      isNew: boolean;
    }
  | { recorded: PatientRow };

export interface CommitRequest extends Omit<Commit, 'snapshot'> {
  snapshot: Omit<Commit['snapshot'], 'payload'> & { payloadBase64: string };
}

/** @param randomBytes from a cryptographically secure source */
export const createPatientCreationActivities = ({
  sql,
  randomBytes,
}: {
  sql: Sql;
  randomBytes: (count: number) => Uint8Array;
}) => {
  async function reserve(sql: Queryable, reservation: Reservation): Promise<Reserved> {
    const { id, organizationId, bodyHash } = reservation;
    const held = await lockIntent(sql, id);
    if (held) {
      if (held.bodyHash !== bodyHash)
        throw permanentFailure(failureTypes.duplicateConflict, keyUsedOtherwiseText);
      const recorded = await findPatient(sql, [organizationId], { id });
      if (recorded) return { recorded };
    }
    const status = await lockOrganizationStatus(sql, organizationId);
    if (status !== undefined && status !== 'active')
      throw permanentFailure(failureTypes.organizationClosed, organizationClosedText(status));
    if (held) {
      await reopenIntent(sql, id);
      return { mrn: held.mrn, isNew: false };
    }
    for (let attempt = 1; attempt <= mrnAttempts; attempt += 1) {
      const mrn = mrnFrom(randomBytes(mrnLength));
      if (await insertIntent(sql, { id, mrn, organizationId, bodyHash })) return { mrn, isNew: true };
    }
    throw permanentFailure(failureTypes.mrnExhausted, mrnExhaustedText);
  }

  return {
    /**
     * Commits the intent to create a patient in the EMR, under a new number (page 3, Atomic create, step 1). Safe to
     * retry: it is one transaction, and a creation keeps its number.
     * @throws MrnExhausted, OrganizationClosed, or DuplicateConflict when the key belongs to another body; with
     * nothing stored
     */
    async reserveMrn(reservation: Reservation): Promise<Reserved> {
      return sql.begin((sql) => reserve(sql, reservation));
    },

    /**
     * Releases a number that the EMR knows already, so that two patients never share it. Safe to retry: no call has
     * used the number yet.
     */
    releaseMrn: ({ id }: { id: string }) => dropIntent(sql, id),

    /**
     * Stores the directory row, the snapshot and the event in one transaction (step 3). Safe to retry: the first
     * attempt completes the creation, and later ones return its row.
     * @throws Rejected when the database rejects them for good
     */
    async commitPatient({ snapshot, ...commit }: CommitRequest): Promise<PatientRow> {
      const { payloadBase64, ...facts } = snapshot;
      try {
        return await commitCreation(sql, {
          ...commit,
          snapshot: { ...facts, payload: Buffer.from(payloadBase64, 'base64') },
        });
      } catch (error) {
        // The database's own text may quote the row.
        if (isRefusedByDatabase(error))
          throw permanentFailure(failureTypes.rejected, 'The database refused the patient');
        throw error;
      }
    },

    /**
     * Ends a failed creation, with an orphan entry for its EMR patients. Safe to retry: an EMR patient has one entry,
     * and a completed creation stays as it is.
     */
    failPatientCreation: (failed: Parameters<typeof failCreation>[1]) => failCreation(sql, failed),
  };
};

export type PatientCreationActivities = ReturnType<typeof createPatientCreationActivities>;
