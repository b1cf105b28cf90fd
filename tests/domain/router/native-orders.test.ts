import { describe, expect, test } from '@jest/globals';
import { toOrder as toPharmacyAOrder } from '../../../integrations/pharmacies/pharmacy-a/order.js';
import { toOrder as toPharmacyBOrder } from '../../../integrations/pharmacies/pharmacy-b/order.js';
import type { PrescriptionSubmission } from '../../../domain/router/submission.js';

const submission: PrescriptionSubmission = {
  source: 'clinic',
  sourceOrderId: 'order-1',
  callbackUrl: 'https://clinic.example.test/callback',
  patient: {
    firstName: 'Pat',
    lastName: 'Example',
    dob: '1980-02-29',
    gender: 'female',
    phone: '+15550001',
    email: 'pat@example.test',
  },
  shipTo: {
    firstName: 'Sam',
    lastName: 'Sample',
    phone: '+15550002',
    addressLine1: '1 Main St',
    addressLine2: 'Apt 2',
    city: 'Austin',
    state: 'tx',
    zip: '73301',
  },
  prescriber: {
    firstName: 'Blair',
    lastName: 'Chen',
    npi: '1245319599',
    deaNumber: 'BC1234563',
    licenseNumber: 'L-1',
    licenseState: 'TX',
    phone: '+15550003',
    fax: '+15550004',
    email: 'blair@example.test',
    address: { line1: '2 Side St', city: 'Austin', state: 'TX', zip: '73301' },
    signatureBase64: 'aW1hZ2U=',
  },
  medication: {
    name: 'Semaglutide 5mg/mL',
    sig: 'inject 10 units',
    quantity: 2,
    daysSupply: 30,
    refills: 3,
    clinicalJustification: 'because',
    note: 'careful',
  },
  clinical: {
    allergies: { known: true, entries: ['penicillin', 'latex'] },
    conditions: { known: true, entries: ['asthma'] },
    medications: { known: false },
    billTo: 'patient',
  },
};
/** As it goes over the wire. */
const wire = (order: unknown): unknown => JSON.parse(JSON.stringify(order));

describe('an order for pharmacy_a', () => {
  test('carries every field under its native name', () =>
    expect(wire(toPharmacyAOrder('ref-1', '12565', submission))).toEqual({
      externalId: 'ref-1',
      sku: '12565',
      quantity: 2,
      daysSupply: 30,
      refills: 3,
      sig: 'inject 10 units',
      note: 'careful',
      justification: 'because',
      patient: {
        firstName: 'Pat',
        lastName: 'Example',
        dob: '1980-02-29',
        gender: 'f',
        phone: '+15550001',
        email: 'pat@example.test',
      },
      shipTo: {
        firstName: 'Sam',
        lastName: 'Sample',
        phone: '+15550002',
        line1: '1 Main St',
        line2: 'Apt 2',
        city: 'Austin',
        state: 'TX',
        zip: '73301',
      },
      prescriber: {
        firstName: 'Blair',
        lastName: 'Chen',
        npi: '1245319599',
        deaNumber: 'BC1234563',
        licenseNumber: 'L-1',
        licenseState: 'TX',
        phone: '+15550003',
        fax: '+15550004',
        email: 'blair@example.test',
      },
    }));

  test('has gender m for male', () => {
    const male = { ...submission, patient: { ...submission.patient, gender: 'male' as const } };
    expect(toPharmacyAOrder('ref-1', '12565', male).patient.gender).toBe('m');
  });
});

describe('a prescription for pharmacy_b', () => {
  test('carries every field under its native name, clinical entries as descriptions', () =>
    expect(wire(toPharmacyBOrder('ref-1', 'PB-SEMA-5', submission))).toEqual({
      reference: 'ref-1',
      catalogId: 'PB-SEMA-5',
      quantity: 2,
      daysSupply: 30,
      refills: 3,
      directions: 'inject 10 units',
      note: 'careful',
      justification: 'because',
      billTo: 'patient',
      patient: {
        firstName: 'Pat',
        lastName: 'Example',
        birthDate: '1980-02-29',
        gender: 'female',
        phone: '+15550001',
        email: 'pat@example.test',
      },
      shipping: {
        firstName: 'Sam',
        lastName: 'Sample',
        phone: '+15550002',
        address1: '1 Main St',
        address2: 'Apt 2',
        city: 'Austin',
        state: 'TX',
        zip: '73301',
      },
      prescriber: {
        firstName: 'Blair',
        lastName: 'Chen',
        npi: '1245319599',
        dea: 'BC1234563',
        license: 'L-1',
        licenseState: 'TX',
        phone: '+15550003',
        fax: '+15550004',
        email: 'blair@example.test',
        address: { line1: '2 Side St', city: 'Austin', state: 'TX', zip: '73301' },
      },
      signedPrescriptionImage: 'aW1hZ2U=',
      allergies: [{ description: 'penicillin' }, { description: 'latex' }],
      diseases: [{ description: 'asthma' }],
    }));

  test('is billed to the practice unless said otherwise', () => {
    const { clinical: _clinical, ...plain } = submission;
    expect(toPharmacyBOrder('ref-1', 'PB-SEMA-5', plain).billTo).toBe('practice');
  });
});
