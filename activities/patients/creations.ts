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
import { permanentFailure } from '../failures.js';

export interface Reservation {
  /** The patient's. */
  id: string;
  organizationId: string;
  /** Tells a repeat from another request under the same key. */
  bodyHash: string;
}

/** The number the patient will have, or the patient that an earlier run has made. */
export type Reserved =
  | {
      mrn: string;
      /** Nobody was called under it: whom the EMR holds under it is somebody else. */
      isNew: boolean;
    }
  | { recorded: PatientRow };

export interface CommitRequest extends Omit<Commit, 'snapshot'> {
  snapshot: Omit<Commit['snapshot'], 'payload'> & { payloadBase64: string };
}

export interface FailedCreation {
  id: string;
  /** The patients that the EMR holds of it. */
  emrPatientIds: readonly string[];
  /** Tells operators why; it names no patient. */
  reason: string;
}

/** @param randomBytes of a cryptographically secure source */
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
     * Commits what is about to be made in the EMR, under a number of its own (page 3, Atomic create, step 1).
     * @throws MrnExhausted, OrganizationClosed, or DuplicateConflict when the key stands for another body; with
     * nothing stored
     *
     * Safe to retry: one transaction, and a create that has its number is given it again.
     */
    async reserveMrn(reservation: Reservation): Promise<Reserved> {
      return sql.begin((sql) => reserve(sql, reservation));
    },

    /**
     * Gives a number up that the EMR knows already, so that no patient is taken for another.
     *
     * Safe to retry: it is called before anything is made under the number.
     */
    async releaseMrn({ id }: { id: string }): Promise<void> {
      await dropIntent(sql, id);
    },

    /**
     * Stores the directory row, the snapshot and the event in one transaction (step 3).
     * @throws Rejected when the database refuses them for good
     *
     * Safe to retry: the first time completes the create, and later ones give what it stored.
     */
    async commitPatient({ snapshot, ...commit }: CommitRequest): Promise<PatientRow> {
      const { payloadBase64, ...facts } = snapshot;
      try {
        return await commitCreation(sql, {
          ...commit,
          snapshot: { ...facts, payload: Buffer.from(payloadBase64, 'base64') },
        });
      } catch (error) {
        // Its own text may quote the row.
        if (isRefusedByDatabase(error))
          throw permanentFailure(failureTypes.rejected, 'The database refused the patient');
        throw error;
      }
    },

    /**
     * Ends a create that came to nothing, with an orphan entry for what the EMR holds of it.
     *
     * Safe to retry: an EMR patient has one entry, and a completed create is left alone.
     */
    async failPatientCreation(failed: FailedCreation): Promise<void> {
      await failCreation(sql, failed);
    },
  };
};

export type PatientCreationActivities = ReturnType<typeof createPatientCreationActivities>;
