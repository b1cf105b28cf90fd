import type { Sql } from '../../db/client.js';
import { findIntakeBody } from '../../db/intake/submissions.js';
import { noteOtherPatient, noteOwnPatient } from '../../db/intake/work-items.js';
import { identityOf, place, survivorOf } from '../../domain/intake/identity.js';
import { toFhirPatient } from '../../domain/intake/intake-patient.js';
import { departureOf } from '../../domain/orderable-patient.js';
import type { EmrClient } from '../../integrations/emr/client.js';
import { calling, callLimits } from '../calls.js';
import { keptIntake } from './submissions.js';

type PatientDirectory = Pick<EmrClient, 'findPatientsByEmail' | 'createPatientOfPerson' | 'readPatient'>;
type Found = Awaited<ReturnType<EmrClient['findPatientsByEmail']>>[number];

/** A longer chain of merged records has no survivor (D148). */
const maxMerges = 5;

/** Reads personal values here, by the submission's id, so that none of them passes through Temporal. */
export const createIntakePatientActivities = ({ sql, emr }: { sql: Sql; emr: PatientDirectory }) => ({
  /**
   * Finds the intake's person among the EMR patients of its e-mail address (D86, D148); the survivor stands for a merged
   * record. Records another patient with the address if the intake matches nobody. Safe to retry: the first record of an
   * intake stays.
   * @returns the EMR's id; null without a match
   */
  async findPatientByEmail({ submissionId }: { submissionId: string }): Promise<string | null> {
    const identity = identityOf(keptIntake(await findIntakeBody(sql, submissionId)));
    const patients = await calling(async () => {
      const found = await emr.findPatientsByEmail(identity.email, callLimits());
      return Promise.all(found.map((patient) => survivor(emr, patient)));
    });
    const { ownId, other } = place(patients, identity);
    if (ownId === undefined) await noteOwnPatient(sql, submissionId);
    if (other) await noteOtherPatient(sql, submissionId, other);
    return ownId ?? null;
  },

  /**
   * Creates the patient of an intake, unless the EMR has this person under the e-mail address. Safe to retry: the
   * create is conditional. The run must prevent concurrent creates.
   * @returns the EMR's id
   */
  async createIntakePatient({ submissionId }: { submissionId: string }): Promise<string> {
    const intake = keptIntake(await findIntakeBody(sql, submissionId));
    return calling(() => emr.createPatientOfPerson(identityOf(intake), toFhirPatient(intake), callLimits()));
  },
});

export type IntakePatientActivities = ReturnType<typeof createIntakePatientActivities>;

/** The record that replaced a merged one; the merged one itself if there is none, or a circle. */
async function survivor(emr: PatientDirectory, merged: Found): Promise<Found> {
  let patient = merged;
  for (let merges = 0; departureOf(patient) === 'merged'; merges += 1) {
    const id = survivorOf(patient);
    const next =
      id === undefined || merges === maxMerges ? undefined : await emr.readPatient(id, callLimits());
    if (id === undefined || next === undefined) return merged;
    patient = { ...next, id };
  }
  return patient;
}
