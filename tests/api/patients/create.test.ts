import { beforeAll, describe, expect, test } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { adminToken, callAs, eventually, sandbox, shared } from '../../helpers/client.js';
import { startSecondApi } from '../../helpers/second-api.js';
import {
  type Ask,
  asking,
  asOwner,
  emrPatientsUnder,
  eventsOf,
  memberOf,
  newBody,
  organization,
} from './directory.js';

const dev = shared();
let organizationId: string;
let ask: Ask;
beforeAll(async () => {
  organizationId = await organization(dev);
  ask = asking(dev, await memberOf(dev, organizationId));
});

const create = (body: unknown, headers?: Record<string, string>) => ask('POST', '/patients', body, headers);

describe('POST /v1/patients', () => {
  test('201: the row as the page has it, the patient in the EMR, the snapshot and the event', async () => {
    const identifiers = { payment_customer_id: 'cus_1', identity_provider_id: 'idp_1', legacy_mrn: 'old-1' };
    const body = newBody(organizationId, { identifiers });
    const { status, body: answer } = await create(body);
    expect(status).toBe(201);
    const { patient } = answer;
    const iso = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
    expect(patient).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      mrn: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{10}$/),
      organization_id: organizationId,
      emr_patient_id: expect.any(String),
      ...identifiers,
      email_lower: body.contactEmail.toLowerCase(),
      created_at: iso,
      updated_at: patient.created_at,
      archived_at: null,
    });

    const { demographics } = body;
    expect(await emrPatientsUnder(dev, patient.mrn)).toMatchObject([
      {
        id: patient.emr_patient_id,
        active: true,
        identifier: [{ system: 'https://scriptrail.health/mrn', value: patient.mrn }],
        name: [{ use: 'official', given: ['Ada'], family: demographics.lastName }],
        birthDate: '1984-03-12',
        gender: 'female',
        telecom: [
          { system: 'phone', use: 'mobile', value: demographics.phone.replace(/\D/g, '') },
          { system: 'email', value: body.contactEmail.toLowerCase() },
        ],
        address: [{ line: ['18 Larch Lane', 'Flat 3'], city: 'Sampleton', state: 'NY', postalCode: '13202' }],
      },
    ]);
    expect(await eventsOf(dev, patient.id)).toEqual([
      {
        detailType: 'patient.created',
        organizationId,
        detail: {
          patientId: patient.id,
          emrPatientId: patient.emr_patient_id,
          mrn: patient.mrn,
          organizationId,
          contactEmailForMatch: body.contactEmail.toLowerCase(),
        },
      },
    ]);
    const { body: listed } = await ask('GET', `/patients/${patient.id}/intake-snapshots`);
    expect(listed.snapshots).toMatchObject([{ patient_id: patient.id, payload: body.intake.payload }]);
  });

  test('201: the event reaches the outside sink', async () => {
    const { body } = await create(newBody(organizationId));
    const event = await eventually(async () => {
      const { events } = await sandbox<{ events: { event: Record<string, unknown> }[] }>(dev, '/events');
      return events.find(
        ({ event }) => (event['data'] as { patientId?: string }).patientId === body.patient.id,
      );
    });
    expect(event.event).toMatchObject({ type: 'patient.created' });
  });

  test('201: nothing about the person is stored here but the e-mail', async () => {
    const body = newBody(organizationId);
    const { patient } = (await create(body)).body;
    const [row] = await asOwner(
      dev,
      (sql) => sql<{ row: string }[]>`
        select row_to_json(patient_directory)::text || row_to_json(create_intent)::text as row
        from patients.patient_directory join patients.create_intent using (id)
        where id = ${patient.id}
      `,
    );
    for (const personal of [body.demographics.lastName, body.demographics.dob, 'Larch', '13202'])
      expect(row!.row.replace(patient.email_lower!, '')).not.toContain(personal);
  });

  test('201: the payload is kept byte for byte as it was sent', async () => {
    const payload = '{ "b": 1.50,\n\t"a" : "\\u00e9\\/é", "c":[ 1e2,{ } ] }';
    const text = JSON.stringify(newBody(organizationId, { intake: 'INTAKE' })).replace(
      '"INTAKE"',
      `{"intakeType":"glp-1","payload":${payload},"submittedAt":"2026-11-01T10:30:00+01:00"}`,
    );
    const { body } = await create(text, { 'user-agent': 'form/1.0' });
    const [snapshot] = (await ask('GET', `/patients/${body.patient.id}/intake-snapshots`)).body.snapshots;
    expect(snapshot).toMatchObject({
      payload: { b: 1.5, a: 'é/é', c: [100, {}] },
      payload_hash: createHash('sha256').update(payload).digest('hex'),
      submitted_at: '2026-11-01T09:30:00.000Z',
      source_ip: '127.0.0.1',
      user_agent: 'form/1.0',
    });
    const [stored] = await asOwner(
      dev,
      (sql) => sql<{ payload: Buffer }[]>`
        select payload from patients.intake_snapshots where patient_id = ${body.patient.id}
      `,
    );
    expect(stored!.payload.toString()).toBe(payload);
  });

  test('201: a payload of nearly a mebibyte', async () => {
    const intake = {
      intakeType: 'nad',
      submittedAt: '2026-11-01T09:30:00Z',
      payload: { text: '"\\'.repeat(240_000) },
    };
    expect((await create(newBody(organizationId, { intake }))).status).toBe(201);
  });

  test('201: several patients may share an e-mail, and unknown fields are passed over', async () => {
    const body = newBody(organizationId);
    const first = await create(body);
    const second = await create({ ...body, surprise: true });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.patient.id).not.toBe(first.body.patient.id);
    expect(second.body.patient.mrn).not.toBe(first.body.patient.mrn);
  });

  test('201: the same key and body give the same answer, also at once, and one patient', async () => {
    const body = newBody(organizationId);
    const key = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all([create(body, key), create(body, key), create(body, key)]);
    answers.push(await create(body, key));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(3);
    const found = await ask('POST', '/patients/email-lookup', { organizationId, email: body.contactEmail });
    expect(found.body).toMatchObject({ exists: true });
    expect(await emrPatientsUnder(dev, answers[0].body.patient.mrn)).toHaveLength(1);
  });

  test('409: the same key with a different body', async () => {
    const key = { 'idempotency-key': randomUUID() };
    await create(newBody(organizationId), key);
    const { status, body } = await create(newBody(organizationId), key);
    expect([status, body]).toEqual([
      409,
      { error: 'conflict', message: 'Idempotency-Key already used with a different body' },
    ]);
  });

  test("201: another caller's same key is another patient", async () => {
    const body = newBody(organizationId);
    const key = { 'idempotency-key': randomUUID() };
    const first = await create(body, key);
    const other = asking(dev, await memberOf(dev, organizationId));
    const second = await other('POST', '/patients', body, key);
    expect(second.status).toBe(201);
    expect(second.body.patient.id).not.toBe(first.body.patient.id);
  });

  test.each([
    ['organizationId', { organizationId: 'x' }],
    ['identifiers.legacy_mrn', { identifiers: { legacy_mrn: '' } }],
  ])('400: %s', async (path, replaced) => {
    const superadmin = asking(dev, await adminToken(dev));
    const { status, body } = await superadmin('POST', '/patients', newBody(organizationId, replaced));
    expect([status, body.error, body.message]).toEqual([400, 'validation_failed', 'Validation failed']);
    expect(body.details.map((issue) => issue.path)).toEqual([path]);
  });

  test('400: malformed JSON, and 415: another content type', async () => {
    expect((await create('{')).body).toEqual({ error: 'validation_failed', message: 'Malformed JSON' });
    const answer = await create('a=b', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(answer.status).toBe(415);
  });

  test.each(['suspended', 'archived'] as const)('409: the organization is %s', async (state) => {
    const closed = await organization(dev, state);
    const token = await memberOf(dev, closed);
    const { status, body } = await asking(dev, token)('POST', '/patients', newBody(closed));
    expect([status, body]).toEqual([409, { error: 'conflict', message: `The organization is ${state}` }]);
  });

  test('404: an organization that nobody knows', async () => {
    const superadmin = asking(dev, await adminToken(dev));
    const { status, body } = await superadmin('POST', '/patients', newBody(randomUUID()));
    expect([status, body]).toEqual([404, { error: 'not_found', message: 'Not found' }]);
  });

  test('503: five numbers that are all taken', async () => {
    const unlucky = await organization(dev);
    await asOwner(dev, async (sql) => {
      // An insert that comes to nothing is what a taken number looks like.
      await sql.unsafe(`
        -- A sequence counts what is rolled back, too.
        create sequence public.numbers_drawn;
        grant usage on public.numbers_drawn to scriptrail_patients;
        create function public.taken() returns trigger language plpgsql as $$
        begin
          perform nextval('public.numbers_drawn');
          return null;
        end $$;
        create trigger taken before insert on patients.create_intent
          for each row when (new.organization_id = '${unlucky}') execute function public.taken();
      `);
    });
    try {
      const token = await memberOf(dev, unlucky);
      const { status, body } = await asking(dev, token)('POST', '/patients', newBody(unlucky));
      expect([status, body]).toEqual([
        503,
        { error: 'mrn_exhausted', message: 'No free medical record number was found' },
      ]);
      const [drawn] = await asOwner(
        dev,
        (sql) => sql<{ count: string }[]>`select last_value as count from public.numbers_drawn`,
      );
      expect(drawn!.count).toBe('5');
    } finally {
      await asOwner(dev, (sql) =>
        sql.unsafe(`
          drop trigger taken on patients.create_intent;
          drop function public.taken;
          drop sequence public.numbers_drawn;
        `),
      );
    }
  });

  test('500 and an orphan entry when the EMR has the patient and the directory cannot take it; settled by the next try', async () => {
    const broken = await organization(dev);
    const member = asking(dev, await memberOf(dev, broken));
    const superadmin = asking(dev, await adminToken(dev));
    const body = newBody(broken);
    const key = { 'idempotency-key': randomUUID() };
    await asOwner(dev, (sql) =>
      sql.unsafe(`
        create function public.broken() returns trigger language plpgsql as $$
        begin raise exception 'broken'; end $$;
        create trigger broken before insert on patients.intake_snapshots
          for each row when (new.organization_id = '${broken}') execute function public.broken();
      `),
    );
    try {
      const { status, body: answer } = await member('POST', '/patients', body, key);
      expect([status, answer.error]).toEqual([500, 'Internal error']);
    } finally {
      await asOwner(dev, (sql) =>
        sql.unsafe('drop trigger broken on patients.intake_snapshots; drop function public.broken;'),
      );
    }
    const orphanOf = async () =>
      (await superadmin('GET', '/orphans?limit=200')).body.orphans.find(
        ({ organization_id }) => organization_id === broken,
      )!;
    const orphan = await orphanOf();
    expect(orphan).toMatchObject({ settled_at: null, settled_by: null });
    expect(await emrPatientsUnder(dev, orphan.mrn)).toMatchObject([{ id: orphan.emr_patient_id }]);

    const again = await member('POST', '/patients', body, key);
    expect(again.status).toBe(201);
    expect(again.body.patient).toMatchObject({ emr_patient_id: orphan.emr_patient_id, mrn: orphan.mrn });
    expect(await orphanOf()).toMatchObject({ settled_at: expect.any(String), settled_by: null });
    expect(await emrPatientsUnder(dev, orphan.mrn)).toHaveLength(1);
  });
});

test('502 organization_unavailable while the organization service cannot be asked about an unknown one', async () => {
  const orgId = randomUUID();
  const token = await adminToken(dev, { sub: randomUUID(), memberships: [{ orgId, role: 'org_user' }] });
  // From here on the service knows the admin.
  await callAs(dev, 'patients', token, { path: `/v1/patients/${randomUUID()}` });
  const nowhere = { ORGANIZATION_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'silent' };
  const second = await startSecondApi(dev, ['patients'], nowhere);
  const at = { ...dev, services: { ...dev.services, ...second.services } };
  const asked = { method: 'POST', path: '/v1/patients', body: newBody(orgId) };
  const answer = await callAs(at, 'patients', token, asked);
  await second.stop();
  expect([answer.status, answer.body['error']]).toEqual([502, 'organization_unavailable']);
});
