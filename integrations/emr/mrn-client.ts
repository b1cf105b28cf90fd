import type { Patient } from 'fhir/r4.js';
import { z } from 'zod';
import { exchange, parseAnswer } from '../../platform/http/outbound.js';
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

const searchset = z.looseObject({
  resourceType: z.literal('Bundle'),
  entry: z
    .array(z.looseObject({ resource: z.looseObject({ resourceType: z.string(), id: z.string() }) }))
    .optional(),
});
const created = z.looseObject({ resourceType: z.literal('Patient'), id: z.string() });

export function createMrnClient(settings: {
  baseUrl: string;
  token: string;
  mrnSystemUri: string;
}): MrnClient {
  const call = (options: CallOptions, path: string, headers: Record<string, string>, body: string) =>
    exchange({
      party,
      method: 'POST',
      resource: 'Patient',
      url: settings.baseUrl + path,
      headers: { authorization: `Bearer ${settings.token}`, accept: 'application/fhir+json', ...headers },
      body,
      ...options,
    });
  const identifier = (mrn: string) => new URLSearchParams({ identifier: `${settings.mrnSystemUri}|${mrn}` });

  return {
    async findByMrn(mrn, options) {
      // Posted, because a number in an address ends up in logs (D63).
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const response = await call(options, '/Patient/_search', type, identifier(mrn).toString());
      const { entry = [] } = parseAnswer(party, response, searchset);
      return entry
        .filter(({ resource }) => resource.resourceType === 'Patient')
        .map(({ resource }) => resource.id)
        .sort();
    },

    async createUnlessKnown(patient, mrn, options) {
      const headers = {
        'content-type': 'application/fhir+json',
        'if-none-exist': identifier(mrn).toString(),
      };
      return parseAnswer(party, await call(options, '/Patient', headers, JSON.stringify(patient)), created)
        .id;
    },
  };
}
