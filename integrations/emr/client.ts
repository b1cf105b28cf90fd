import type { Patient } from 'fhir/r4.js';
import { z } from 'zod';
import { exchange, parseAnswer } from '../../platform/http/outbound.js';

const party = 'EMR';

export interface CallOptions {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** What we need of the EMR (FHIR R4). */
export interface EmrClient {
  /** A patient by id; undefined when there is none. @throws OutboundError */
  readPatient: (id: string, options: CallOptions) => Promise<Patient | undefined>;
}

const patientResource = z.looseObject({ resourceType: z.literal('Patient'), id: z.string() });

export function createEmrClient(settings: { baseUrl: string; token: string }): EmrClient {
  return {
    async readPatient(id, options) {
      // Valid ids that no URL can carry: a client resolves these segments before it calls.
      if (id === '.' || id === '..') return undefined;
      const response = await exchange({
        party,
        method: 'GET',
        resource: 'Patient',
        url: `${settings.baseUrl}/Patient/${encodeURIComponent(id)}`,
        headers: { authorization: `Bearer ${settings.token}`, accept: 'application/fhir+json' },
        ...options,
      });
      if (response.status === 404 || response.status === 410) return undefined;
      const patient: unknown = parseAnswer(party, response, patientResource);
      return patient as Patient;
    },
  };
}
