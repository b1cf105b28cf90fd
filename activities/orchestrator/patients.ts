import { failureTypes } from '../../domain/failures.js';
import {
  departureText,
  incompleteText,
  judgePatient,
  notFoundText,
  type OrderAddress,
  type PatientContact,
  type PatientDetails,
  readContact,
} from '../../domain/orderable-patient.js';
import type { EmrClient } from '../../integrations/emr/client.js';
import { businessDay } from '../../platform/business-day.js';
import { calling, callLimits, permanentFailure } from '../calls.js';

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
     * Step 2: reads the patient. A patient who has left gets no new order (D117). Safe to retry: it only reads.
     * @throws NotFound, PatientLeft, or Incomplete naming the fields that the record lacks (D35)
     */
    async fetchPatient({
      emrPatientId,
      shipTo,
    }: {
      emrPatientId: string;
      /** Takes the place of the address in the EMR (D119). */
      shipTo?: OrderAddress | null | undefined;
    }): Promise<PatientDetails> {
      const resource = await calling(() => emr.readPatient(emrPatientId, callLimits()));
      if (!resource) throw permanentFailure(failureTypes.notFound, notFoundText(emrPatientId));
      const verdict = judgePatient(resource, reading());
      if ('patient' in verdict) return shipTo ? { ...verdict.patient, address: shipTo } : verdict.patient;
      if ('left' in verdict)
        throw permanentFailure(failureTypes.patientLeft, departureText(verdict.left, emrPatientId));
      throw permanentFailure(failureTypes.incomplete, incompleteText(verdict.missing));
    },

    /**
     * Reads how to notify the patient, however complete the rest of the record is. Safe to retry: it only reads.
     * @throws NotFound
     */
    async fetchContact({ emrPatientId }: { emrPatientId: string }): Promise<PatientContact> {
      const resource = await calling(() => emr.readPatient(emrPatientId, callLimits()));
      if (!resource) throw permanentFailure(failureTypes.notFound, 'Patient not found in EMR');
      return readContact(resource, reading());
    },
  };
};

export type PatientActivities = ReturnType<typeof createPatientActivities>;
