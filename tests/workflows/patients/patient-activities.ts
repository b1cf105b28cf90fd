import type { PatientRow } from '../../../domain/patients/patient-directory.js';
import type { CreatePatientRequest } from '../../../workflows/patients/create-patient.js';

/** An invented create. */
export const aCreate = (id: string): CreatePatientRequest => ({
  id,
  organizationId: '00000000-0000-4000-8000-000000000020',
  bodyHash: 'hash',
  email: 'ada@example.test',
  demographics: {
    firstName: 'Ada',
    lastName: 'Test',
    dob: '1984-03-12',
    gender: 'female',
    phone: '2025550101',
    address: { line1: '18 Larch Lane', city: 'Sampleton', state: 'NY', zip: '13202' },
  },
  identifiers: { paymentCustomerId: null, identityProviderId: null, legacyMrn: null },
  snapshot: {
    intakeType: 'glp-1',
    submittedAt: '2026-01-01T00:00:00.000Z',
    payloadBase64: Buffer.from('{}').toString('base64'),
    sourceIp: '127.0.0.1',
    userAgent: null,
  },
});

export const aRow: PatientRow = {
  id: '00000000-0000-4000-8000-000000000021',
  mrn: '0123456789',
  organization_id: '00000000-0000-4000-8000-000000000020',
  emr_patient_id: 'emr-1',
  payment_customer_id: null,
  identity_provider_id: null,
  legacy_mrn: null,
  email_lower: 'ada@example.test',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  archived_at: null,
};
