import { failureTypes } from '../../domain/failures.js';
import {
  departureText,
  judgePatient,
  type PatientContact,
  type PatientDetails,
  readContact,
  readPatient,
} from '../../domain/orderable-patient.js';
import type { EmrClient } from '../../integrations/emr/client.js';
import { businessDay } from '../../platform/business-day.js';
import { callLimits } from '../call-limits.js';
import { calling, permanentFailure } from '../failures.js';

export const createPatientActivities = ({
  emr,
  timeZone,
  consentExtension,
}: {
  emr: EmrClient;
  timeZone: string;
  /** The extension by which a phone withholds consent to texts (D147). */
  consentExtension: string;
}) => {
  const reading = () => ({ today: businessDay(timeZone), consentExtension });
  return {
    /**
     * Step 2: the patient as the EMR has them. One who has left is ordered nothing; an order that exists is seen through (D117).
     * @throws NotFound, PatientLeft, or Incomplete naming the fields a prescription cannot go without (D35)
     *
     * Safe to retry: it only reads.
     */
    async fetchPatient({
      emrPatientId,
      isOrdered = false,
    }: {
      emrPatientId: string;
      /** The patient is read for an order that exists. */
      isOrdered?: boolean;
    }): Promise<PatientDetails> {
      const resource = await calling(() => emr.readPatient(emrPatientId, callLimits()));
      if (!resource)
        throw permanentFailure(failureTypes.notFound, `Patient not found in EMR: ${emrPatientId}`);
      const verdict = (isOrdered ? readPatient : judgePatient)(resource, reading());
      if ('patient' in verdict) return verdict.patient;
      if ('left' in verdict)
        throw permanentFailure(failureTypes.patientLeft, departureText(verdict.left, emrPatientId));
      throw permanentFailure(
        failureTypes.incomplete,
        `Patient record is incomplete: ${verdict.missing.join(', ')}`,
      );
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
      return readContact(resource, reading());
    },
  };
};

export type PatientActivities = ReturnType<typeof createPatientActivities>;
