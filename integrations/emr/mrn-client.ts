import type { Patient } from 'fhir/r4.js';
import { z } from 'zod';
import { exchange } from '../../platform/http/outbound.js';
import { createdId, resourcesOf } from './bundles.js';
import type { CallOptions } from './client.js';

const party = 'EMR';

/** EMR patients by their medical record number, an identifier under a fixed system URI. */
export interface MrnClient {
  /** The ids of the patients under a number, in a fixed order. @throws OutboundError */
  findByMrn: (mrn: string, options: CallOptions) => Promise<string[]>;
  /**
   * Creates a patient unless there is one under the number.
   * @returns the id of the one or the other
   * @throws OutboundError
   */
  createUnlessKnown: (patient: Patient, mrn: string, options: CallOptions) => Promise<string>;
}

const found = z.looseObject({ resourceType: z.literal('Patient'), id: z.string() });

export function createMrnClient(settings: {
  baseUrl: string;
  token: string;
  mrnSystemUri: string;
}): MrnClient {
  const own = { authorization: `Bearer ${settings.token}`, accept: 'application/fhir+json' };
  const call = (options: CallOptions, path: string, headers: Record<string, string>, body: string) =>
    exchange({
      party,
      method: 'POST',
      resource: 'Patient',
      url: settings.baseUrl + path,
      headers: { ...own, ...headers },
      body,
      ...options,
    });
  const read = (url: string, options: CallOptions) =>
    exchange({ party, method: 'GET', resource: 'Patient', url, headers: own, ...options });
  const identifier = (mrn: string) => new URLSearchParams({ identifier: `${settings.mrnSystemUri}|${mrn}` });

  return {
    async findByMrn(mrn, options) {
      // Posted, because a number in an address ends up in logs (D63).
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const response = await call(options, '/Patient/_search', type, identifier(mrn).toString());
      const resources = await resourcesOf(settings.baseUrl, response, (url) => read(url, options));
      return resources.flatMap((resource) => found.safeParse(resource).data?.id ?? []).sort();
    },

    async createUnlessKnown(patient, mrn, options) {
      const headers = {
        'content-type': 'application/fhir+json',
        'if-none-exist': identifier(mrn).toString(),
      };
      return createdId('Patient', await call(options, '/Patient', headers, JSON.stringify(patient)));
    },
  };
}
