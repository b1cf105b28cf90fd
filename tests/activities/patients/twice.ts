import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { patientsActivities } from '../../../workers/patients/activities.js';
import { emrPatientsUnder, eventsOf, organization as newOrganization } from '../../api/patients/directory.js';
import { eventOf, eventQueue, sessionEvents, toldOutside } from '../events.js';
import { contextOf, db, dev, running } from '../real-parts.js';
import { consuming, consumingAsSink, type Entries, type Entry, type Event } from '../twice.js';

const own = patientsActivities(contextOf('patients'));

const reservation = async () => ({
  id: randomUUID(),
  organizationId: await newOrganization(dev),
  bodyHash: 'hash',
});

async function reserved() {
  const { id, organizationId, bodyHash } = await reservation();
  const answer = await own.reserveMrn({ id, organizationId, bodyHash });
  if (!('mrn' in answer)) throw new Error('a fresh id was known');
  return { id, organizationId, bodyHash, mrn: answer.mrn };
}

const requestFor = (mrn: string) => ({
  mrn,
  email: `${randomUUID()}@example.test`,
  demographics: {
    firstName: 'Ada',
    lastName: 'Test',
    dob: '1984-03-12',
    gender: 'female' as const,
    phone: '(202) 555-0101',
    address: { line1: '18 Larch Lane', city: 'Sampleton', state: 'NY', zip: '13202' },
  },
});

const intentsOf = (id: string) => db`select mrn, state from patients.create_intent where id = ${id}`;

const activities: Entries<typeof own> = {
  ...eventQueue('patients', 'patient.archived'),
  reserveMrn: async () => {
    const input = await reservation();
    return {
      input,
      answers: { mrn: expect.any(String), isNew: true },
      // The number may have been used by now, which whoever asks again must know.
      thenAnswers: { mrn: expect.any(String), isNew: false },
      seen: () => intentsOf(input.id),
      once: [{ mrn: expect.any(String), state: 'open' }],
    };
  },
  releaseMrn: async () => {
    const { id } = await reserved();
    return { input: { id }, seen: () => intentsOf(id), once: [] };
  },
  commitPatient: async () => {
    const { id, organizationId, mrn } = await reserved();
    const patient = {
      id,
      mrn,
      organizationId,
      emrPatientId: randomUUID(),
      emailLower: 'ada@example.test',
      paymentCustomerId: null,
      identityProviderId: null,
      legacyMrn: null,
    };
    const snapshot = {
      patientId: id,
      organizationId,
      intakeType: 'nad' as const,
      submittedAt: '2026-11-01T09:30:00.000Z',
      payloadBase64: Buffer.from('{}').toString('base64'),
      sourceIp: '127.0.0.1',
      userAgent: null,
    };
    const surplus = randomUUID();
    return {
      input: { patient, snapshot, surplusEmrPatientIds: [surplus], lookAgain: false },
      answers: expect.objectContaining({ id, mrn }),
      seen: async () => ({
        rows: await db`select mrn from patients.patient_directory where id = ${id}`,
        snapshots: await db`select intake_type from patients.intake_snapshots where patient_id = ${id}`,
        events: (await eventsOf(dev, id)).map(({ detailType }) => detailType),
        orphans: await db`select emr_patient_id from patients.orphan_log where mrn = ${mrn}`,
      }),
      once: {
        rows: [{ mrn }],
        snapshots: [{ intakeType: 'nad' }],
        events: ['patient.created'],
        orphans: [{ emrPatientId: surplus }],
      },
    };
  },
  failPatientCreation: async () => {
    const { id, mrn } = await reserved();
    const emrPatientId = randomUUID();
    return {
      input: { id, emrPatientIds: [emrPatientId], reason: 'A test' },
      seen: async () => ({
        intents: await intentsOf(id),
        orphans: await db`select emr_patient_id from patients.orphan_log where mrn = ${mrn}`,
      }),
      once: { intents: [{ mrn, state: 'failed' }], orphans: [{ emrPatientId }] },
    };
  },
  findPatientsByMrn: async () => {
    const { mrn } = await reserved();
    const { emrPatientId } = await running((request) => own.makePatientUnderMrn(request), requestFor(mrn));
    return { input: { mrn }, answers: [emrPatientId] };
  },
  makePatientUnderMrn: async () => {
    const { mrn } = await reserved();
    return {
      input: requestFor(mrn),
      answers: { emrPatientId: expect.any(String), calledBefore: false },
      thenAnswers: { emrPatientId: expect.any(String), calledBefore: true },
      seen: async () => (await emrPatientsUnder(dev, mrn)).length,
      once: 1,
    };
  },
};

/** The state that creates go by. */
const telling = (detailType: string, status: string) => async (): Promise<Event> => {
  const organizationId = randomUUID();
  const event = eventOf('organization', detailType, { organizationId, status }, organizationId);
  return {
    event,
    seen: () => db`
      select status, changed_at from patients.organization_state where organization_id = ${organizationId}
    `,
    once: [{ status, changedAt: new Date(event.time) }],
  };
};

export const patients: Record<string, Entry> = {
  ...activities,
  ...consuming('patients', {
    'organization.created': telling('organization.created', 'active'),
    'organization.updated': telling('organization.updated', 'active'),
    'organization.suspended': telling('organization.suspended', 'suspended'),
    'organization.archived': telling('organization.archived', 'archived'),
    ...sessionEvents('patients'),
  }),
  ...consumingAsSink(toldOutside('patients')),
};
