import type { Sql } from '../../db/client.js';
import { findIntakeBody } from '../../db/intake/submissions.js';
import { noteOtherPatient, noteOwnPatient } from '../../db/intake/work-items.js';
import { failureTypes } from '../../domain/failures.js';
import { identityOf, place } from '../../domain/intake/identity.js';
import type { Intake } from '../../domain/intake/intake.js';
import { toFhirPatient } from '../../domain/intake/intake-patient.js';
import type { EmrClient } from '../../integrations/emr/client.js';
import { calling, callLimits, permanentFailure } from '../calls.js';

type PatientDirectory = Pick<EmrClient, 'findPatientsByEmail' | 'createPatientOfPerson'>;

/** Reads personal values here, by the submission's id, so that none of them passes through Temporal. */
export const createIntakePatientActivities = ({ sql, emr }: { sql: Sql; emr: PatientDirectory }) => ({
  /**
   * Finds the EMR patient with the intake's e-mail address, family name and birth date (D86). Records another patient
   * with the address if the intake matches nobody. Safe to retry: the first record of an intake stays.
   * @returns the EMR's id; null without a match
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
   * Creates the patient of an intake, unless the EMR has this person under the e-mail address. Safe to retry: the
   * create is conditional. The run must prevent concurrent creates.
   * @returns the EMR's id
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
  // The contract validated it on receipt.
  return JSON.parse(body) as Intake;
}
