import type { Sql } from '../../db/client.js';
import { findIntakeBody } from '../../db/intake/submissions.js';
import { noteOtherPatient, noteOwnPatient } from '../../db/intake/work-items.js';
import { failureTypes } from '../../domain/failures.js';
import { identityOf, place } from '../../domain/intake/identity.js';
import type { Intake } from '../../domain/intake/intake.js';
import { toFhirPatient } from '../../domain/intake/intake-patient.js';
import type { EmrClient } from '../../integrations/emr/client.js';
import { callLimits } from '../call-limits.js';
import { calling, permanentFailure } from '../failures.js';

type PatientDirectory = Pick<EmrClient, 'findPatientsByEmail' | 'createPatientOfPerson'>;

/** The personal values are read here, by the id of the submission: none of them travels through Temporal. */
export const createIntakePatientActivities = ({ sql, emr }: { sql: Sql; emr: PatientDirectory }) => ({
  /**
   * The EMR's id of the patient with the intake's e-mail address, family name and birth date (D86); null when there is
   * none. Notes another patient of the address where the intake joins nobody.
   *
   * Safe to retry: it reads, and the first note of an intake stays.
   */
  async findPatientByEmail({ submissionId }: { submissionId: string }): Promise<string | null> {
    const identity = identityOf(await intakeOf(sql, submissionId));
    const patients = await calling(() => emr.findPatientsByEmail(identity.email, callLimits()));
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
    const intake = await intakeOf(sql, submissionId);
    return calling(() => emr.createPatientOfPerson(identityOf(intake), toFhirPatient(intake), callLimits()));
  },
});

export type IntakePatientActivities = ReturnType<typeof createIntakePatientActivities>;

async function intakeOf(sql: Sql, submissionId: string): Promise<Intake> {
  const body = await findIntakeBody(sql, submissionId);
  if (body === undefined) throw permanentFailure(failureTypes.notFound, 'The body of the intake is gone');
  // Checked against the contract when it was accepted.
  return JSON.parse(body) as Intake;
}
