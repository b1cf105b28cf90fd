import type { Patient } from 'fhir/r4.js';
import { z } from 'zod';
import { compare, type Identity } from '../../domain/intake/identity.js';
import { hasEmail } from '../../domain/intake/intake-patient.js';
import type { OnCall } from '../../platform/http/call-log.js';
import { exchange, OutboundError, parseAnswer } from '../../platform/http/outbound.js';
import { bodyOf, createdId, resourcesOf } from './bundles.js';

const party = 'EMR';

export interface EmrSettings {
  baseUrl: string;
  token: string;
  onCall?: OnCall | undefined;
}

interface CallOptions {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** We need this of the EMR (FHIR R4). */
export interface EmrClient {
  /** A patient by id; undefined when there is none. @throws OutboundError */
  readPatient: (id: string, options: CallOptions) => Promise<Patient | undefined>;
  /**
   * The patients that can be reached under an e-mail address in whatever case, in an order that does not change. The
   * address travels in the body: no URL carries a personal value (D63). @throws OutboundError
   */
  findPatientsByEmail: (email: string, options: CallOptions) => Promise<(Patient & { id: string })[]>;
  /**
   * Creates a patient unless the same person exists under the same address. Not every server handles concurrent
   * conditional creates, so the caller looks before and after. @returns the id of the one or the other
   * @throws OutboundError
   */
  createPatientOfPerson: (identity: Identity, patient: Patient, options: CallOptions) => Promise<string>;
}

const patientResource = z.looseObject({ resourceType: z.literal('Patient'), id: z.string() });

/** The address as asked for: in lower case, and as written for a server that tells the cases apart. */
const emailQuery = (email: string) => ({ email: [...new Set([email.toLowerCase(), email])].join(',') });
const personQuery = ({ email, familyName, birthDate }: Identity) => ({
  ...emailQuery(email),
  birthdate: birthDate,
  // The characters that FHIR's queries give a meaning to.
  'family:exact': familyName.replace(/[\\,|$]/g, String.raw`\$&`),
});

export function createEmrClient(settings: EmrSettings): EmrClient {
  const { onCall } = settings;
  const headers = { authorization: `Bearer ${settings.token}`, accept: 'application/fhir+json' };
  const read = (url: string, options: CallOptions) =>
    exchange({ party, onCall, method: 'GET', resource: 'Patient', url, headers, ...options });

  async function readPatient(id: string, options: CallOptions): Promise<Patient | undefined> {
    // Valid ids that no URL can carry: a client resolves these segments before it calls.
    if (id === '.' || id === '..') return undefined;
    const response = await read(`${settings.baseUrl}/Patient/${encodeURIComponent(id)}`, options);
    if (response.status === 404 || response.status === 410) return undefined;
    const patient = parseAnswer(party, response, patientResource);
    if (patient.id !== id) throw new OutboundError(party, { kind: 'malformed' });
    return patient;
  }

  return {
    readPatient,

    async findPatientsByEmail(email, options) {
      const response = await exchange({
        party,
        onCall,
        method: 'POST',
        resource: 'Patient',
        url: `${settings.baseUrl}/Patient/_search`,
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(emailQuery(email)).toString(),
        ...options,
      });
      const resources = await resourcesOf(settings.baseUrl, response, (url) => read(url, options));
      // A field of another shape, such as null, must not hide the patient: the readers of fields leave it out.
      const patients = resources.flatMap(
        (resource) =>
          (patientResource.safeParse(resource).data as (Patient & { id: string }) | undefined) ?? [],
      );
      const found = patients.filter((patient) => hasEmail(patient, email));
      return found.sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    async createPatientOfPerson(identity, patient, { timeoutMs, signal }) {
      const until = Date.now() + timeoutMs;
      const create = (condition: Record<string, string>) =>
        exchange({
          party,
          onCall,
          method: 'POST',
          resource: 'Patient',
          url: `${settings.baseUrl}/Patient`,
          headers: {
            ...headers,
            'content-type': 'application/fhir+json',
            ...condition,
            prefer: 'return=representation',
          },
          body: JSON.stringify(patient),
          timeoutMs: Math.max(1, until - Date.now()),
          signal,
        });

      const query = new URLSearchParams(personQuery(identity)).toString();
      const conditional = await create({ 'if-none-exist': query });
      if (conditional.status !== 412) {
        const id = createdId('Patient', conditional);
        if (conditional.status === 201) return id;
        const known =
          (patientResource.safeParse(bodyOf(conditional)).data as Patient | undefined) ??
          (await readPatient(id, { timeoutMs: Math.max(1, until - Date.now()), signal }));
        if (known && compare(known, identity) === 'same') return id;
      }
      // The server reads the query more generously, and has found somebody else.
      return createdId('Patient', await create({}));
    },
  };
}
