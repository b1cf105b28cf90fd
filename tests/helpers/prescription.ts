import { randomUUID } from 'node:crypto';
import type { PrescriptionSubmission } from '../../domain/router/submission.js';

/** A submission of invented people under a fresh order reference, for NY. */
export const prescription = (): PrescriptionSubmission => ({
  source: 'test',
  sourceOrderId: randomUUID(),
  callbackUrl: 'http://127.0.0.1:9/callback',
  patient: {
    firstName: 'Pat',
    lastName: 'Example',
    dob: '1980-02-29',
    gender: 'female',
    phone: '+12025550101',
  },
  shipTo: {
    firstName: 'Pat',
    lastName: 'Example',
    phone: '+12025550101',
    addressLine1: '1 Main St',
    city: 'Springfield',
    state: 'NY',
    zip: '10001',
  },
  prescriber: { firstName: 'Blair', lastName: 'Chen', npi: '1245319599' },
  medication: {
    name: 'Semaglutide 5mg/mL',
    sig: 'inject 10 units (0.25mg) SQ weekly',
    quantity: 2,
    daysSupply: 30,
    refills: 3,
  },
});

export function inState(state: string): PrescriptionSubmission {
  const plain = prescription();
  return { ...plain, shipTo: { ...plain.shipTo, state } };
}

export function named(name: string): PrescriptionSubmission {
  const plain = prescription();
  return { ...plain, medication: { ...plain.medication, name } };
}
