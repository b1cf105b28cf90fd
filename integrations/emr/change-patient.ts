import type { Patient } from 'fhir/r4.js';
import { z } from 'zod';
import { type CallLimits, expectOk, OutboundError, parseAnswer } from '../../platform/http/outbound.js';
import { callFhir, type FhirServer, party } from './fhir.js';

/** Another writer's change between read and write requires a new read. */
const maxReads = 3;

const patientResource = z.looseObject({
  resourceType: z.literal('Patient'),
  id: z.string(),
  meta: z.looseObject({ versionId: z.string().nullish() }).nullish(),
});

/**
 * Changes a patient with optimistic locking: it writes the version it read, so no other change is lost. An EMR that keeps
 * no versions has none to write. The limits apply to each of at most six calls.
 * @param change returns undefined if there is nothing to change
 * @returns the EMR's last status
 * @throws OutboundError, with status 412 if other writers kept changing the record
 */
export async function changePatient(
  server: FhirServer,
  id: string,
  change: (patient: Patient) => Patient | undefined | Promise<Patient | undefined>,
  limits: CallLimits,
): Promise<number> {
  // Valid FHIR ids, but URL parsers resolve these segments.
  if (id === '.' || id === '..') throw new OutboundError(party, { kind: 'status', status: 404, body: '' });
  const path = `/Patient/${encodeURIComponent(id)}`;
  for (let reads = 1; ; reads += 1) {
    const read = await callFhir(server, { method: 'GET', path }, limits);
    const patient = parseAnswer(party, read, patientResource);
    if (patient.id !== id) throw new OutboundError(party, { kind: 'malformed' });
    const changed = await change(patient as unknown as Patient);
    if (changed === undefined) return read.status;
    const versionId = patient.meta?.versionId;
    const version = read.headers.etag ?? (versionId ? `W/"${versionId}"` : undefined);
    const headers: Record<string, string> = version === undefined ? {} : { 'if-match': version };
    const written = await callFhir(server, { method: 'PUT', path, body: changed, headers }, limits);
    if (written.status === 412 && reads < maxReads) continue;
    return expectOk(party, written).status;
  }
}

export type PatientStatusClient = ReturnType<typeof createPatientStatusClient>;

export const createPatientStatusClient = (server: FhirServer) => ({
  /** Sets `active` to false, like `changePatient`; an inactive patient stays unchanged. */
  deactivatePatient: (id: string, limits: CallLimits): Promise<number> =>
    changePatient(
      server,
      id,
      (patient) => (patient.active === false ? undefined : { ...patient, active: false }),
      limits,
    ),
});
