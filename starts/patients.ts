import type { Client } from '@temporalio/client';
import { patientCreateWorkflowId } from '../workflows/ids.js';
import type { CreatePatientRequest } from '../workflows/patients/create-patient.js';
import { rxOrganization } from '../workflows/search-attributes.js';
import { startOrJoin } from './runs.js';

export type { CreatePatientRequest };

/** Creates a patient: one run per id and body, repeated only after a failure (D80). */
export const createPatient = (temporal: Client, creation: CreatePatientRequest, withinMs: number) =>
  startOrJoin(
    temporal,
    {
      workflow: 'createPatient',
      id: patientCreateWorkflowId(creation.id),
      queue: 'patients',
      args: [creation],
      purpose: creation.bodyHash,
      once: true,
      attributes: [{ key: rxOrganization, value: creation.organizationId }],
      summary: 'Create a patient',
      details: `**Directory id** ${creation.id}\n\n**Organization** ${creation.organizationId}`,
    },
    withinMs,
  );
