import type { Patient } from 'fhir/r4.js';
import { z } from 'zod';
import { type CallLimits, parseAnswer } from '../../platform/http/outbound.js';
import { callFhir, type FhirServer, party } from './fhir.js';

const searchset = z.looseObject({
  resourceType: z.literal('Bundle'),
  entry: z
    .array(z.looseObject({ resource: z.looseObject({ resourceType: z.string(), id: z.string() }) }))
    .optional(),
});
const created = z.looseObject({ resourceType: z.literal('Patient'), id: z.string() });

export type MrnClient = ReturnType<typeof createMrnClient>;

/** EMR patients by medical record number, an identifier under a fixed system URI. All methods throw OutboundError. */
export function createMrnClient(settings: FhirServer & { mrnSystemUri: string }) {
  const identifier = (mrn: string) => new URLSearchParams({ identifier: `${settings.mrnSystemUri}|${mrn}` });
  return {
    /** The ids of the patients with a number, in a fixed order. */
    async findByMrn(mrn: string, limits: CallLimits): Promise<string[]> {
      const call = { method: 'POST', path: '/Patient/_search', form: identifier(mrn) } as const;
      const { entry = [] } = parseAnswer(party, await callFhir(settings, call, limits), searchset);
      return entry
        .filter(({ resource }) => resource.resourceType === 'Patient')
        .map(({ resource }) => resource.id)
        .sort();
    },

    /** Creates a patient unless one has the number. @returns the id of the new or existing patient */
    async createUnlessKnown(patient: Patient, mrn: string, limits: CallLimits): Promise<string> {
      const headers = { 'if-none-exist': identifier(mrn).toString() };
      const call = { method: 'POST', path: '/Patient', body: patient, headers } as const;
      return parseAnswer(party, await callFhir(settings, call, limits), created).id;
    },
  };
}
