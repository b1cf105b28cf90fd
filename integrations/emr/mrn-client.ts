import type { Patient } from 'fhir/r4.js';
import { z } from 'zod';
import { type CallLimits, OutboundError } from '../../platform/http/outbound.js';
import { createdId, hasIdentifier, isOfAnother, resourcesOf } from './bundles.js';
import { callFhir, type FhirServer, party } from './fhir.js';

const foundPatient = z.looseObject({ resourceType: z.literal('Patient'), id: z.string() });

export type MrnClient = ReturnType<typeof createMrnClient>;

/** EMR patients by medical record number, an identifier under a fixed system URI. All methods throw OutboundError. */
export function createMrnClient(settings: FhirServer & { mrnSystemUri: string }) {
  const identifier = (mrn: string) => new URLSearchParams({ identifier: `${settings.mrnSystemUri}|${mrn}` });
  const numberOf = (mrn: string) => ({ system: settings.mrnSystemUri, value: mrn });
  return {
    /** The ids of the patients with a number, in a fixed order. */
    async findByMrn(mrn: string, limits: CallLimits): Promise<string[]> {
      const call = { method: 'POST', path: '/Patient/_search', form: identifier(mrn) } as const;
      const first = await callFhir(settings, call, limits);
      const resources = await resourcesOf(settings.baseUrl, first, (url) =>
        callFhir(settings, { method: 'GET', path: '/Patient', url }, limits),
      );
      const found = resources.filter((resource) => hasIdentifier(resource, numberOf(mrn)));
      return found.flatMap((resource) => foundPatient.safeParse(resource).data?.id ?? []).sort();
    },

    /**
     * Creates a patient unless one has the number.
     * @returns the id of the new or existing patient
     * @throws OutboundError also if the existing one has another number
     */
    async createUnlessKnown(patient: Patient, mrn: string, limits: CallLimits): Promise<string> {
      const headers = { 'if-none-exist': identifier(mrn).toString() };
      const call = { method: 'POST', path: '/Patient', body: patient, headers } as const;
      const response = await callFhir(settings, call, limits);
      if (isOfAnother(response, numberOf(mrn))) throw new OutboundError(party, { kind: 'malformed' });
      return createdId('Patient', response);
    },
  };
}
