import { failureTypes } from '../../domain/failures.js';
import {
  type PatientContact,
  type PatientDetails,
  readContact,
  readPatient,
} from '../../domain/orchestrator/patient.js';
import type { EmrClient } from '../../integrations/emr/client.js';
import { calling, callLimits, permanentFailure } from '../calls.js';

export const createPatientActivities = ({ emr }: { emr: EmrClient }) => ({
  /**
   * Step 2: reads the patient from the EMR. Safe to retry: it only reads.
   * @throws NotFound, or Incomplete naming the fields that a prescription lacks (D35)
   */
  async fetchPatient({ emrPatientId }: { emrPatientId: string }): Promise<PatientDetails> {
    const resource = await calling(() => emr.readPatient(emrPatientId, callLimits()));
    if (!resource) throw permanentFailure(failureTypes.notFound, `Patient not found in EMR: ${emrPatientId}`);
    const reading = readPatient(resource);
    if ('missing' in reading)
      throw permanentFailure(
        failureTypes.incomplete,
        `Patient record is incomplete: ${reading.missing.join(', ')}`,
      );
    return reading.patient;
  },

  /**
   * Reads where to notify the patient, even if the rest of the record is incomplete. Safe to retry: it only reads.
   * @throws NotFound
   */
  async fetchContact({ emrPatientId }: { emrPatientId: string }): Promise<PatientContact> {
    const resource = await calling(() => emr.readPatient(emrPatientId, callLimits()));
    if (!resource) throw permanentFailure(failureTypes.notFound, 'Patient not found in EMR');
    return readContact(resource);
  },
});

export type PatientActivities = ReturnType<typeof createPatientActivities>;
