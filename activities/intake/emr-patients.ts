import type { Sql } from '../../db/client.js';
import { findIntakeBody } from '../../db/intake/submissions.js';
import { failureTypes } from '../../domain/failures.js';
import type { Intake } from '../../domain/intake/intake.js';
import { toFhirPatient } from '../../domain/intake/intake-patient.js';
import type { EmrClient } from '../../integrations/emr/client.js';
import { callLimits } from '../call-limits.js';
import { calling, refuse } from '../failures.js';

type PatientDirectory = Pick<EmrClient, 'findPatientsByEmail' | 'createPatientOfEmail'>;

/** The personal values are read here, by the id of the submission: none of them travels through Temporal. */
export const createIntakePatientActivities = ({ sql, emr }: { sql: Sql; emr: PatientDirectory }) => ({
  /**
   * The EMR's id of the patient with the intake's e-mail address; null when there is none.
   *
   * Safe to retry: it only reads.
   */
  async findPatientByEmail({ submissionId }: { submissionId: string }): Promise<string | null> {
    const { email } = await intakeOf(sql, submissionId);
    const [patient] = await calling(() => emr.findPatientsByEmail(email, callLimits()));
    return patient?.id ?? null;
  },

  /**
   * Creates the patient of an intake, unless there is one with its e-mail address.
   * @returns the EMR's id
   *
   * Safe to retry: the create is conditional; what a server does with two at once is for the run to prevent.
   */
  async createIntakePatient({ submissionId }: { submissionId: string }): Promise<string> {
    const intake = await intakeOf(sql, submissionId);
    return calling(() => emr.createPatientOfEmail(intake.email, toFhirPatient(intake), callLimits()));
  },
});

export type IntakePatientActivities = ReturnType<typeof createIntakePatientActivities>;

async function intakeOf(sql: Sql, submissionId: string): Promise<Intake> {
  const body = await findIntakeBody(sql, submissionId);
  if (body === undefined) throw refuse(failureTypes.notFound, 'The body of the intake is gone');
  // Checked against the contract when it was accepted.
  return JSON.parse(body) as Intake;
}
