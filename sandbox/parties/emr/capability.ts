import type { FastifyRequest } from 'fastify';

const TYPES = ['Patient', 'Organization', 'Practitioner', 'MedicationRequest', 'MedicationDispense'];
const INTERACTIONS = [
  'read',
  'vread',
  'create',
  'update',
  'patch',
  'delete',
  'history-instance',
  'search-type',
];

/** The server's FHIR CapabilityStatement, which the engine does not provide. */
export const capabilityStatement = (request: FastifyRequest) => ({
  resourceType: 'CapabilityStatement',
  status: 'active',
  date: '2026-01-01',
  kind: 'instance',
  fhirVersion: '4.0.1',
  format: ['application/fhir+json'],
  implementation: {
    description: 'Scriptrail sandbox EMR',
    url: `${request.protocol}://${request.host}/fhir/R4`,
  },
  rest: [
    {
      mode: 'server',
      resource: TYPES.map((type) => ({
        type,
        interaction: INTERACTIONS.map((code) => ({ code })),
        versioning: 'versioned',
        conditionalCreate: true,
        updateCreate: true,
      })),
    },
  ],
});
