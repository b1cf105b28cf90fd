import { failureTypes } from '../../domain/failures.js';
import {
  type PatientContact,
  type PatientDetails,
  readContact,
  readPatient,
} from '../../domain/orchestrator/patient.js';
import type { EmrClient } from '../../integrations/emr/client.js';
import { callLimits } from '../call-limits.js';
import { calling, permanentFailure } from '../failures.js';

export const createPatientActivities = ({ emr }: { emr: EmrClient }) => ({
  /**
   * Step 2: the patient as the EMR has them.
   * @throws NotFound, or Incomplete naming the fields a prescription cannot go without (D35)
   *
   * Safe to retry: it only reads.
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
   * Where the patient can be told something, however complete the rest of the record is.
   * @throws NotFound
   *
   * Safe to retry: it only reads.
   */
  async fetchContact({ emrPatientId }: { emrPatientId: string }): Promise<PatientContact> {
    const resource = await calling(() => emr.readPatient(emrPatientId, callLimits()));
    if (!resource) throw permanentFailure(failureTypes.notFound, 'Patient not found in EMR');
    return readContact(resource);
  },
});

export type PatientActivities = ReturnType<typeof createPatientActivities>;
