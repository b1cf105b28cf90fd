import { findPatient } from '../../db/patients/directory.js';
import { isEmrPatientOf, type PatientRow } from '../../domain/patients/patient-directory.js';
import type { EmrClient } from '../../integrations/emr/client.js';
import type { ServiceContext } from '../context.js';
import { forbidden, HttpError } from '../http-errors.js';
import { outboundAs } from '../outcomes.js';

const readWithinMs = 5_000;

/**
 * Guards an EMR id to be filled in: archiving the patient deactivates that EMR patient (D96). The write itself rejects
 * an id that another row has.
 * @throws HttpError 403 unless the EMR patient has this row's MRN or `legacy_mrn`, 502 when the EMR is unavailable
 */
export async function requireOwnEmrPatient(
  { sql, config }: Pick<ServiceContext, 'sql' | 'config'>,
  emr: EmrClient,
  row: PatientRow,
  emrPatientId: string,
): Promise<void> {
  if (await findPatient(sql, 'all', { emrPatientId })) return;
  const patient = await emr
    .readPatient(emrPatientId, { timeoutMs: readWithinMs })
    .catch(outboundAs(({ message }) => new HttpError(502, message, { code: 'emr_unavailable' })));
  const { MRN_SYSTEM_URI } = config.service('patients');
  if (!patient || !isEmrPatientOf(patient, row, MRN_SYSTEM_URI))
    throw forbidden('The EMR patient carries neither the MRN nor the legacy MRN of this patient');
}
