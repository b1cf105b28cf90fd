import { findPatient } from '../../db/patients/directory.js';
import { isEmrPatientOf, type PatientRow } from '../../domain/patients/patient-directory.js';
import type { EmrClient } from '../../integrations/emr/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { ServiceContext } from '../context.js';
import { forbidden, HttpError } from '../http-errors.js';

const readWithinMs = 5_000;

/**
 * Refuses to fill in an EMR patient who is not shown to be this one: archiving would make them inactive there (D96).
 * One that another row has is left to the rules of the write.
 * @throws Refused 403 unless the EMR patient carries our MRN or the `legacy_mrn`, 502 when the EMR cannot be asked
 */
export async function requireOwnEmrPatient(
  { sql, config }: Pick<ServiceContext, 'sql' | 'config'>,
  emr: EmrClient,
  row: PatientRow,
  emrPatientId: string,
): Promise<void> {
  if (await findPatient(sql, 'all', { emrPatientId })) return;
  const patient = await emr.readPatient(emrPatientId, { timeoutMs: readWithinMs }).catch((error: unknown) => {
    if (error instanceof OutboundError) throw new HttpError(502, error.message, { code: 'emr_unavailable' });
    throw error;
  });
  const { MRN_SYSTEM_URI } = config.service('patients');
  if (!patient || !isEmrPatientOf(patient, row, MRN_SYSTEM_URI))
    throw forbidden('The EMR patient carries neither the MRN nor the legacy MRN of this patient');
}
