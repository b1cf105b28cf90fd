import type { Sql } from '../../db/client.js';
import { findIntakeBody } from '../../db/intake/submissions.js';
import { noteOtherPatient, noteOwnPatient } from '../../db/intake/work-items.js';
import { failureTypes } from '../../domain/failures.js';
import { identityOf, place, survivorOf } from '../../domain/intake/identity.js';
import { type Intake, intakeOf } from '../../domain/intake/intake.js';
import { toFhirPatient } from '../../domain/intake/intake-patient.js';
import { departureOf } from '../../domain/orderable-patient.js';
import type { EmrClient } from '../../integrations/emr/client.js';
import { callLimits } from '../call-limits.js';
import { calling, permanentFailure } from '../failures.js';

type PatientDirectory = Pick<EmrClient, 'findPatientsByEmail' | 'createPatientOfPerson' | 'readPatient'>;
type Found = Awaited<ReturnType<EmrClient['findPatientsByEmail']>>[number];

/** A chain of merged records that is longer than this leads nowhere (D148). */
const maxMerges = 5;

/** The personal values are read here, by the id of the submission: none of them travels through Temporal. */
export const createIntakePatientActivities = ({ sql, emr }: { sql: Sql; emr: PatientDirectory }) => ({
  /**
   * The EMR's id of the intake's person among the patients of its e-mail address (D86, D148); null when there is none. A
   * merged record counts as the one that took its place. Notes another patient where the intake joins nobody.
   *
   * Safe to retry: it reads, and the first note of an intake stays.
   */
  async findPatientByEmail({ submissionId }: { submissionId: string }): Promise<string | null> {
    const identity = identityOf(await keptIntake(sql, submissionId));
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
   * Creates the patient of an intake, unless there is one of the same person with its e-mail address.
   * @returns the EMR's id
   *
   * Safe to retry: the create is conditional; what a server does with two at once is for the run to prevent.
   */
  async createIntakePatient({ submissionId }: { submissionId: string }): Promise<string> {
    const intake = await keptIntake(sql, submissionId);
    return calling(() => emr.createPatientOfPerson(identityOf(intake), toFhirPatient(intake), callLimits()));
  },
});

export type IntakePatientActivities = ReturnType<typeof createIntakePatientActivities>;

/** The record that took a merged one's place; the merged one itself where there is none, or a circle. */
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

async function keptIntake(sql: Sql, submissionId: string): Promise<Intake> {
  const body = await findIntakeBody(sql, submissionId);
  if (body === undefined) throw permanentFailure(failureTypes.notFound, 'The body of the intake is gone');
  return intakeOf(body);
}
