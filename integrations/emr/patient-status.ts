import { changePatient } from './change-patient.js';
import type { CallOptions } from './client.js';

/** The bridge writes this to the EMR (FHIR R4). */
export interface PatientStatusClient {
  /**
   * Sets a patient's `active` to false on the version that was read; one that is inactive already is left as it is. The
   * limits count for each of its calls.
   * @returns the EMR's last status
   * @throws OutboundError, with status 412 when others kept changing the record
   */
  deactivatePatient: (id: string, options: CallOptions) => Promise<number>;
}

export const createPatientStatusClient = (settings: {
  baseUrl: string;
  token: string;
}): PatientStatusClient => ({
  deactivatePatient: (id, options) =>
    changePatient(
      settings,
      id,
      (patient) => (patient.active === false ? undefined : { ...patient, active: false }),
      options,
    ),
});
