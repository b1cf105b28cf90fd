import { z } from 'zod';
import { exchange, expectOk, OutboundError, parseAnswer } from '../../platform/http/outbound.js';
import type { CallOptions } from './client.js';

const party = 'EMR';
/** Readings of one attempt: somebody else's change in between asks for another one. */
const maxReadings = 3;

/** The bridge writes this to the EMR (FHIR R4). */
export interface PatientStatusClient {
  /**
   * Sets a patient's `active` to false by reading, changing and writing that very version, so that nobody else's
   * change is lost; one that is inactive already is left as it is. The limits count for each of its calls.
   * @returns the EMR's last status
   * @throws OutboundError, with status 412 when others kept changing the record
   */
  deactivatePatient: (id: string, options: CallOptions) => Promise<number>;
}

const patientResource = z.looseObject({
  resourceType: z.literal('Patient'),
  id: z.string(),
  active: z.boolean().optional(),
});

export function createPatientStatusClient(settings: { baseUrl: string; token: string }): PatientStatusClient {
  const call = (method: 'GET' | 'PUT', id: string, options: CallOptions, version?: string, body?: string) =>
    exchange({
      party,
      method,
      resource: 'Patient',
      url: `${settings.baseUrl}/Patient/${encodeURIComponent(id)}`,
      headers: {
        authorization: `Bearer ${settings.token}`,
        accept: 'application/fhir+json',
        ...(body === undefined ? {} : { 'content-type': 'application/fhir+json' }),
        ...(version === undefined ? {} : { 'if-match': version }),
      },
      ...(body === undefined ? {} : { body }),
      ...options,
    });

  return {
    async deactivatePatient(id, options) {
      // Valid ids that no URL can carry: a client resolves these segments before it calls.
      if (id === '.' || id === '..')
        throw new OutboundError(party, { kind: 'status', status: 404, body: '' });
      for (let reading = 1; ; reading += 1) {
        const read = await call('GET', id, options);
        const patient = parseAnswer(party, read, patientResource);
        if (patient.active === false) return read.status;
        const inactive = JSON.stringify({ ...patient, active: false });
        const written = await call('PUT', id, options, read.headers.etag, inactive);
        if (written.status === 412 && reading < maxReadings) continue;
        return expectOk(party, written).status;
      }
    },
  };
}
