import { beforeAll, describe, expect, test } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { encodeCursor } from '../../../api/cursor.js';
import { createSql, type Sql } from '../../../db/client.js';
import { shared } from '../../helpers/client.js';
import { type Ask, asOwner, newDirectoryPatient, ownRoleUrl } from './directory.js';

const dev = shared();
let ask: Ask;
let patientId: string;
let path: string;
beforeAll(async () => {
  const made = await newDirectoryPatient(dev);
  ask = made.ask;
  patientId = made.patient.id;
  path = `/patients/${patientId}/intake-snapshots`;
});

const reIntake = (payload: string, intakeType = 'nad') =>
  ask(
    'POST',
    path,
    `{"intakeType":"${intakeType}","submittedAt":"2026-11-02T08:00:00Z","payload":${payload},"more":1}`,
  );

describe('intake snapshots', () => {
  test('201: a re-intake is kept byte for byte, and the directory row stays as it is', async () => {
    const before = (await ask('GET', `/patients/${patientId}`)).body;
    const payload = '{"weight" : 82.0, "note":"\\u00e9"}';
    const { status, body } = await reIntake(payload, 'org-special');
    expect(status).toBe(201);
    expect(body.snapshot).toEqual({
      id: expect.any(String),
      patient_id: patientId,
      organization_id: before.patient.organization_id,
      intake_type: 'org-special',
      submitted_at: '2026-11-02T08:00:00.000Z',
      payload: { weight: 82, note: 'é' },
      payload_hash: createHash('sha256').update(payload).digest('hex'),
      source_ip: '127.0.0.1',
      user_agent: expect.any(String),
      created_at: expect.any(String),
    });
    expect((await ask('GET', `/patients/${patientId}`)).body).toEqual(before);
  });

  test('201: a time of the first century comes back as it was handed in', async () => {
    const { ask, patient } = await newDirectoryPatient(dev);
    const own = `/patients/${patient.id}/intake-snapshots`;
    const submittedAt = '0020-01-01T00:00:00.000Z';
    const { status } = await ask(
      'POST',
      own,
      JSON.stringify({ intakeType: 'nad', submittedAt, payload: {} }),
    );
    expect(status).toBe(201);
    expect((await ask('GET', own)).body.snapshots[0]).toMatchObject({ submitted_at: submittedAt });
  });

  test('200: all of them newest first, and each by its id', async () => {
    const added = [];
    for (const n of [1, 2, 3]) added.unshift((await reIntake(`{"n":${n}}`)).body.snapshot);
    const { status, body } = await ask('GET', path);
    expect(status).toBe(200);
    expect(body.snapshots.slice(0, 3)).toEqual(added);
    const one = await ask('GET', `${path}/${added[1]!.id}`);
    expect([one.status, one.body]).toEqual([200, { snapshot: added[1] }]);
  });

  test('200: in pages by number, the first without a cursor, which leave nothing out', async () => {
    const { ask, patient, body } = await newDirectoryPatient(dev);
    const own = `/patients/${patient.id}/intake-snapshots`;
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.unshift((await ask('POST', own, body.intake)).body.snapshot.id);
    const first = await ask('GET', `${own}?limit=3`);
    expect(first.body.snapshots.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    const second = await ask('GET', `${own}?limit=3&cursor=${first.body.nextCursor}`);
    expect(second.body.snapshots).toHaveLength(2);
    expect(second.body.snapshots[0]!.id).toBe(ids[3]);
    expect(second.body.nextCursor).toBeNull();
    const all = await ask('GET', own);
    expect([all.body.snapshots.length, all.body.nextCursor]).toEqual([5, null]);
    for (const query of ['limit=0', 'cursor=none', `cursor=${encodeCursor({ id: 1 })}`])
      expect((await ask('GET', `${own}?${query}`)).status).toBe(400);
  });

  test('200: a page ends with the snapshot that brings it to 4 MiB', async () => {
    const { ask, patient } = await newDirectoryPatient(dev);
    const own = `/patients/${patient.id}/intake-snapshots`;
    const large = {
      intakeType: 'nad',
      submittedAt: '2026-11-02T08:00:00Z',
      payload: { x: 'x'.repeat(900_000) },
    };
    for (let n = 0; n < 6; n += 1) expect((await ask('POST', own, large)).status).toBe(201);
    const first = await ask('GET', own);
    expect(first.body.snapshots).toHaveLength(5);
    const second = await ask('GET', `${own}?cursor=${first.body.nextCursor}`);
    expect(second.body.snapshots).toHaveLength(2);
    expect(second.body.nextCursor).toBeNull();
  });

  test('404: an unknown snapshot, a malformed id, and the snapshot of another patient', async () => {
    const other = await newDirectoryPatient(dev);
    const [foreign] = (await other.ask('GET', `/patients/${other.patient.id}/intake-snapshots`)).body
      .snapshots;
    for (const id of [randomUUID(), 'x', foreign!.id])
      expect((await ask('GET', `${path}/${id}`)).status).toBe(404);
  });

  test('401 and 404: one snapshot, without a token and for a stranger', async () => {
    const [snapshot] = (await ask('GET', path)).body.snapshots;
    const other = await newDirectoryPatient(dev);
    expect((await other.ask('GET', `${path}/${snapshot!.id}`)).status).toBe(404);
    const bare = await fetch(`${dev.services.patients}/v1${path}/${snapshot!.id}`);
    expect(bare.status).toBe(401);
  });

  test.each(['"text"', '[1]', 'null', '7'])('400: a payload of %s', async (payload) => {
    const { status, body } = await reIntake(payload);
    expect([status, body.details]).toMatchObject([400, [{ path: 'payload' }]]);
  });

  test('409: the patient is archived', async () => {
    const { ask, patient, body } = await newDirectoryPatient(dev);
    await ask('POST', `/patients/${patient.id}/archive`);
    const answer = await ask('POST', `/patients/${patient.id}/intake-snapshots`, body.intake);
    expect([answer.status, answer.body.error]).toEqual([409, 'conflict']);
  });
});

describe('the archive in the database', () => {
  const statements: [name: string, run: (sql: Sql, table: string) => Promise<unknown>][] = [
    ['update', (sql, table) => sql`update ${sql(table)} set organization_id = gen_random_uuid()`],
    ['delete', (sql, table) => sql`delete from ${sql(table)}`],
    ['truncate', (sql, table) => sql`truncate ${sql(table)} cascade`],
  ];

  test.each(statements)("the service's own role may not %s snapshots", async (_name, run) => {
    const sql = createSql(ownRoleUrl(dev), { applicationName: 'test', max: 1 });
    try {
      await expect(run(sql, 'patients.intake_snapshots')).rejects.toThrow('permission denied');
    } finally {
      await sql.end();
    }
  });

  test.each(statements)('nor may its owner %s them', async (name, run) => {
    await expect(asOwner(dev, (sql) => run(sql, 'patients.intake_snapshots'))).rejects.toThrow(
      new RegExp(`${name} of intake_snapshots is not allowed`, 'i'),
    );
  });

  test.each(['delete', 'truncate'])('a directory row is gone by no %s', async (name) => {
    const [, run] = statements.find(([verb]) => verb === name)!;
    await expect(asOwner(dev, (sql) => run(sql, 'patients.patient_directory'))).rejects.toThrow(
      'not allowed',
    );
  });

  test("the service's own role may not change a number, an organization or the time of creation", async () => {
    const sql = createSql(ownRoleUrl(dev), { applicationName: 'test', max: 1 });
    try {
      for (const column of ['mrn', 'organization_id', 'created_at'])
        await expect(
          sql`update patients.patient_directory set ${sql(column)} = ${sql(column)}`,
        ).rejects.toThrow('permission denied');
    } finally {
      await sql.end();
    }
  });
});
