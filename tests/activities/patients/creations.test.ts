import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  type CommitRequest,
  createPatientCreationActivities,
} from '../../../activities/patients/creations.js';
import { createSql, type Sql } from '../../../db/client.js';
import { mrnAlphabet, mrnFrom } from '../../../domain/patients/mrn.js';
import { shared } from '../../helpers/client.js';
import { asOwner, eventsOf, organization, ownRoleUrl } from '../../api/patients/directory.js';

const dev = shared();
let sql: Sql;
let organizationId: string;
beforeAll(async () => {
  sql = createSql(ownRoleUrl(dev), { applicationName: 'test' });
  organizationId = await organization(dev);
});
afterAll(() => sql.end());

const activities = (source: (count: number) => Uint8Array = randomBytes) =>
  createPatientCreationActivities({ sql, randomBytes: source });
const aReservation = () => ({ id: randomUUID(), organizationId, bodyHash: 'hash' });

async function reserved() {
  const reservation = aReservation();
  const answer = await activities().reserveMrn(reservation);
  if (!('mrn' in answer)) throw new Error('recorded already');
  return { ...reservation, mrn: answer.mrn };
}
const commitOf = (
  { id, mrn }: { id: string; mrn: string },
  emrPatientId: string = randomUUID(),
): CommitRequest => ({
  patient: {
    id,
    mrn,
    organizationId,
    emrPatientId,
    paymentCustomerId: null,
    identityProviderId: null,
    legacyMrn: null,
    emailLower: 'ada@example.test',
  },
  snapshot: {
    patientId: id,
    organizationId,
    intakeType: 'nad',
    submittedAt: '2026-11-01T09:30:00.000Z',
    payloadBase64: Buffer.from('{ }').toString('base64'),
    sourceIp: '127.0.0.1',
    userAgent: null,
  },
  surplusEmrPatientIds: [],
  lookAgain: false,
});
const orphansOf = (mrn: string) =>
  asOwner(
    dev,
    (sql) => sql<{ emrPatientId: string; settledAt: Date | null }[]>`
      select emr_patient_id, settled_at from patients.orphan_log where mrn = ${mrn} order by emr_patient_id
    `,
  );
const countOf = async (table: string, patientId: string) =>
  (await asOwner(dev, (sql) => sql`select 1 from ${sql(table)} where patient_id = ${patientId}`)).length;

describe('reserving a number', () => {
  test('twice gives the same one, new only the first time', async () => {
    const reservation = aReservation();
    const first = await activities().reserveMrn(reservation);
    expect(first).toEqual({ mrn: expect.any(String), isNew: true });
    expect(await activities().reserveMrn(reservation)).toEqual({ ...first, isNew: false });
  });

  test('passes over numbers that are taken in any case, by patients and by those to be', async () => {
    const toBe = await reserved();
    const made = await reserved();
    await activities().commitPatient(commitOf(made));
    await asOwner(dev, async (sql) => {
      await sql`update patients.create_intent set mrn = lower(mrn) where id = ${toBe.id}`;
      await sql`delete from patients.create_intent where id = ${made.id}`;
    });
    const bytesOf = (mrn: string) =>
      Uint8Array.from(mrn.split(''), (character) => mrnAlphabet.indexOf(character));
    const free = randomBytes(10);
    const drawn = [toBe.mrn, made.mrn, toBe.mrn, made.mrn].map(bytesOf);
    let draws = 0;
    const answer = await activities(() => drawn[draws++] ?? free).reserveMrn(aReservation());
    expect([answer, draws]).toEqual([{ mrn: mrnFrom(free), isNew: true }, 5]);
    draws = 0;
    const always = activities(() => drawn[draws++ % drawn.length]!);
    await expect(always.reserveMrn(aReservation())).rejects.toMatchObject({
      type: 'MrnExhausted',
      nonRetryable: true,
    });
    expect(draws).toBe(5);
  });

  test('gives the patient that was made, refuses another body, and after a release draws anew', async () => {
    const { id, mrn } = await reserved();
    const row = await activities().commitPatient(commitOf({ id, mrn }));
    expect(await activities().reserveMrn({ id, organizationId, bodyHash: 'hash' })).toEqual({
      recorded: row,
    });
    await expect(activities().reserveMrn({ id, organizationId, bodyHash: 'other' })).rejects.toMatchObject({
      type: 'DuplicateConflict',
    });
    await activities().releaseMrn({ id });
    expect(await activities().reserveMrn({ id, organizationId, bodyHash: 'hash' })).toEqual({
      recorded: row,
    });

    const released = await reserved();
    await activities().releaseMrn(released);
    await activities().releaseMrn(released);
    const again = await activities().reserveMrn({ id: released.id, organizationId, bodyHash: 'other' });
    expect(again).toMatchObject({ isNew: true });
  });
});

describe('committing a create', () => {
  test('twice stores one row, one snapshot and one event', async () => {
    const reservation = await reserved();
    const commit = commitOf(reservation);
    const row = await activities().commitPatient(commit);
    expect(await activities().commitPatient(commit)).toEqual(row);
    expect(await countOf('patients.intake_snapshots', row.id)).toBe(1);
    expect(await eventsOf(dev, row.id)).toHaveLength(1);
  });

  test('that the database refuses is refused for good, without its text, and stores nothing', async () => {
    const taken = commitOf(await reserved());
    await activities().commitPatient(taken);
    const reservation = await reserved();
    const commit = activities().commitPatient(commitOf(reservation, taken.patient.emrPatientId));
    await expect(commit).rejects.toMatchObject({
      nonRetryable: true,
      message: 'The database refused the patient',
    });
    expect(await eventsOf(dev, reservation.id)).toEqual([]);
  });

  test('settles the orphan it adopts, and logs what is surplus', async () => {
    const { id, mrn } = await reserved();
    const [adopted, surplus] = [`a-${randomUUID()}`, `b-${randomUUID()}`];
    await activities().failPatientCreation({ id, emrPatientIds: [adopted], reason: 'A test' });
    await activities().commitPatient({ ...commitOf({ id, mrn }, adopted), surplusEmrPatientIds: [surplus] });
    expect(await orphansOf(mrn)).toEqual([
      { emrPatientId: adopted, settledAt: expect.any(Date) },
      { emrPatientId: surplus, settledAt: null },
    ]);
  });
});

describe('a create that came to nothing', () => {
  test('leaves one orphan entry, however often it is recorded', async () => {
    const { id, mrn } = await reserved();
    const failed = { id, emrPatientIds: [randomUUID()], reason: 'A test' };
    await activities().failPatientCreation(failed);
    await activities().failPatientCreation(failed);
    expect(await orphansOf(mrn)).toHaveLength(1);
  });

  test('is none when it was completed: nothing is recorded', async () => {
    const { id, mrn } = await reserved();
    await activities().commitPatient(commitOf({ id, mrn }));
    await activities().failPatientCreation({ id, emrPatientIds: [randomUUID()], reason: 'A test' });
    expect(await orphansOf(mrn)).toEqual([]);
  });
});
