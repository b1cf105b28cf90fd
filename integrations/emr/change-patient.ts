import type { Patient } from 'fhir/r4.js';
import { z } from 'zod';
import { exchange, expectOk, OutboundError, parseAnswer } from '../../platform/http/outbound.js';
import type { CallOptions } from './client.js';

const party = 'EMR';
/** Readings of one attempt: somebody else's change in between asks for another one. */
const maxReadings = 3;

const patientResource = z.looseObject({ resourceType: z.literal('Patient'), id: z.string() });

/**
 * Changes a patient by reading, changing and writing that very version, so that nobody else's change is lost. The limits
 * count for each of its calls, of which there are six at most.
 * @param change the patient as it shall be; undefined when it is so already
 * @returns the EMR's last status
 * @throws OutboundError, with status 412 when others kept changing the record
 */
export async function changePatient(
  { baseUrl, token }: { baseUrl: string; token: string },
  id: string,
  change: (patient: Patient) => Patient | undefined,
  options: CallOptions,
): Promise<number> {
  // Valid ids that no URL can carry: a client resolves these segments before it calls.
  if (id === '.' || id === '..') throw new OutboundError(party, { kind: 'status', status: 404, body: '' });
  const call = (method: 'GET' | 'PUT', version?: string, body?: string) =>
    exchange({
      party,
      method,
      resource: 'Patient',
      url: `${baseUrl}/Patient/${encodeURIComponent(id)}`,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/fhir+json',
        ...(body === undefined ? {} : { 'content-type': 'application/fhir+json' }),
        ...(version === undefined ? {} : { 'if-match': version }),
      },
      ...(body === undefined ? {} : { body }),
      ...options,
    });

  for (let reading = 1; ; reading += 1) {
    const read = await call('GET');
    const changed = change(parseAnswer<unknown>(party, read, patientResource) as Patient);
    if (changed === undefined) return read.status;
    const written = await call('PUT', read.headers.etag, JSON.stringify(changed));
    if (written.status === 412 && reading < maxReadings) continue;
    return expectOk(party, written).status;
  }
}
