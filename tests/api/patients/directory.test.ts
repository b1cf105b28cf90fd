import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { keepPublishedStatus } from '../../../db/patients/organizations.js';
import { adminToken, eventually, sandbox, shared } from '../../helpers/client.js';
import { setFault } from '../../faults/faults.js';
import { newPatient } from '../../helpers/patients.js';
import {
  type Ask,
  asking,
  asOwner,
  eventsOf,
  memberOf,
  newBody,
  newDirectoryPatient,
  organization,
} from './directory.js';

const dev = shared();
type Made = Awaited<ReturnType<typeof newDirectoryPatient>>;
let made: Made;
let superadmin: Ask;
beforeAll(async () => {
  made = await newDirectoryPatient(dev);
  superadmin = asking(dev, await adminToken(dev));
});

const unknown = { error: 'not_found', message: 'Not found' };
interface Route {
  name: string;
  path: (of: Made) => string;
  /** One that would do. */
  body?: (of: Made) => unknown;
}
const routes: Route[] = [
  { name: 'GET /patients/:id', path: ({ patient }) => patient.id },
  { name: 'GET /patients/by-mrn/:mrn', path: ({ patient }) => `by-mrn/${patient.mrn}` },
  { name: 'GET /patients/by-emr-id/:id', path: ({ patient }) => `by-emr-id/${patient.emr_patient_id}` },
  { name: 'GET /patients/by-canvas-id/:id', path: ({ patient }) => `by-canvas-id/${patient.emr_patient_id}` },
  { name: 'PATCH /patients/:id', path: ({ patient }) => patient.id, body: () => ({}) },
  { name: 'POST /patients/:id/archive', path: ({ patient }) => `${patient.id}/archive` },
  { name: 'GET /patients/:id/intake-snapshots', path: ({ patient }) => `${patient.id}/intake-snapshots` },
  {
    name: 'POST /patients/:id/intake-snapshots',
    path: ({ patient }) => `${patient.id}/intake-snapshots`,
    body: ({ body }) => body.intake,
  },
  { name: 'POST /patients', path: () => '', body: ({ organizationId }) => newBody(organizationId) },
  {
    name: 'POST /patients/email-lookup',
    path: () => 'email-lookup',
    body: ({ organizationId, body }) => ({ organizationId, email: body.contactEmail }),
  },
];
const table = (which: (route: Route) => boolean = () => true) =>
  routes.filter(which).map((route) => [route.name, route] as const);
const ofOnePatient = ({ name }: Route) => name.includes(':');

const send = (ask: Ask, { name, path, body }: Route, of = made) =>
  ask(name.split(' ')[0]!, `/patients/${path(of)}`.replace(/\/$/, ''), body?.(of));

describe('a route of one patient', () => {
  test.each(table(ofOnePatient))(
    '404: %s of an unknown patient, and of one with a malformed id, for a superadmin',
    async (_name, route) => {
      for (const id of [randomUUID(), 'x', '1%27--']) {
        const patient = { ...made.patient, id, mrn: id, emr_patient_id: id };
        const answer = await send(superadmin, route, { ...made, patient });
        expect([answer.status, answer.body]).toEqual([404, unknown]);
      }
    },
  );
});

describe('looking a patient up', () => {
  test('200: by id, by number in either case, and by EMR id on both paths', async () => {
    const { ask, patient } = made;
    for (const path of [
      patient.id,
      `by-mrn/${patient.mrn}`,
      `by-mrn/${patient.mrn.toLowerCase()}`,
      `by-emr-id/${patient.emr_patient_id}`,
      `by-canvas-id/${patient.emr_patient_id}`,
    ]) {
      const { status, body } = await ask('GET', `/patients/${path}`);
      expect([status, body]).toEqual([200, { patient }]);
    }
  });
});

describe('POST /v1/patients/email-lookup', () => {
  const lookup = (ask: Ask, organizationId: string, email: string) =>
    ask('POST', '/patients/email-lookup', { organizationId, email });

  test('200 not_found', async () => {
    const { status, body } = await lookup(made.ask, made.organizationId, 'nobody@example.test');
    expect([status, body]).toEqual([200, { exists: false, in_your_org: false, status: 'not_found' }]);
  });

  test('200 active in any case, sign_in with an identity provider, archived', async () => {
    const { ask, organizationId, body, patient } = await newDirectoryPatient(dev);
    const status = async () => (await lookup(ask, organizationId, body.contactEmail.toUpperCase())).body;
    expect(await status()).toEqual({ exists: true, in_your_org: true, status: 'active' });
    await ask('PATCH', `/patients/${patient.id}`, { identity_provider_id: 'idp_1' });
    expect(await status()).toEqual({ exists: true, in_your_org: true, status: 'sign_in' });
    await ask('POST', `/patients/${patient.id}/archive`);
    expect(await status()).toEqual({ exists: true, in_your_org: true, status: 'archived' });
  });

  test('200 for an organization id in upper case', async () => {
    const { ask, organizationId, body } = await newDirectoryPatient(dev);
    const found = await lookup(ask, organizationId.toUpperCase(), body.contactEmail);
    expect([found.status, found.body]).toMatchObject([200, { in_your_org: true }]);
  });

  test('200 other_org without a word of which one; an own archived match counts before it', async () => {
    const elsewhere = await newDirectoryPatient(dev);
    const own = await newDirectoryPatient(dev);
    const email = elsewhere.body.contactEmail;
    const { body } = await lookup(own.ask, own.organizationId, email);
    expect(body).toEqual({ exists: true, in_your_org: false, status: 'other_org' });
    await own.ask('PATCH', `/patients/${own.patient.id}`, { email_lower: email });
    await own.ask('POST', `/patients/${own.patient.id}/archive`);
    expect((await lookup(own.ask, own.organizationId, email)).body).toMatchObject({ status: 'archived' });
  });

  test('400 without the fields that it needs', async () => {
    const { status, body } = await superadmin('POST', '/patients/email-lookup', {});
    expect([status, body.error]).toEqual([400, 'validation_failed']);
  });
});

describe('PATCH /v1/patients/:id', () => {
  test('200: identifiers are filled once, and the event has the three that others listen for', async () => {
    const { ask, patient, organizationId } = await newDirectoryPatient(dev);
    const wanted = {
      payment_customer_id: 'cus_9',
      identity_provider_id: 'idp_9',
      legacy_mrn: 'old-9',
      email_lower: 'New.Address@Example.test',
    };
    const { status, body } = await ask('PATCH', `/patients/${patient.id}`, wanted);
    expect(status).toBe(200);
    expect(body.patient).toEqual({
      ...patient,
      ...wanted,
      email_lower: 'new.address@example.test',
      updated_at: expect.any(String),
    });
    expect(body.patient.updated_at > patient.updated_at).toBe(true);
    expect((await eventsOf(dev, patient.id)).slice(1)).toEqual([
      {
        detailType: 'patient.identifier_updated',
        organizationId,
        detail: {
          patientId: patient.id,
          organizationId,
          diff: {
            payment_customer_id: { from: null, to: 'cus_9' },
            identity_provider_id: { from: null, to: 'idp_9' },
          },
        },
      },
    ]);

    const again = await ask('PATCH', `/patients/${patient.id}`, wanted);
    expect([again.status, again.body]).toEqual([200, body]);
    expect(await eventsOf(dev, patient.id)).toHaveLength(2);
  });

  test('200: an e-mail and a legacy number alone tell nobody', async () => {
    const { ask, patient } = await newDirectoryPatient(dev);
    const wanted = { email_lower: 'other@example.test', legacy_mrn: 'old-1' };
    expect((await ask('PATCH', `/patients/${patient.id}`, wanted)).body.patient).toMatchObject(wanted);
    expect(await eventsOf(dev, patient.id)).toHaveLength(1);
  });

  test.each(['emr_patient_id', 'payment_customer_id', 'identity_provider_id', 'legacy_mrn'])(
    '409 immutable_identifier: %s has another value, and nothing else changes',
    async (field) => {
      const { ask, patient } = await newDirectoryPatient(dev);
      await ask('PATCH', `/patients/${patient.id}`, field === 'emr_patient_id' ? {} : { [field]: 'first' });
      const before = (await ask('GET', `/patients/${patient.id}`)).body;
      const { status, body } = await ask('PATCH', `/patients/${patient.id}`, {
        [field]: 'second',
        email_lower: 'x@example.test',
      });
      expect([status, body]).toEqual([
        409,
        { error: 'immutable_identifier', message: `${field} has a value already` },
      ]);
      expect((await ask('GET', `/patients/${patient.id}`)).body).toEqual(before);
    },
  );

  test('409 immutable_identifier: of twenty writers at once one wins', async () => {
    const { ask, patient } = await newDirectoryPatient(dev);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        ask('PATCH', `/patients/${patient.id}`, { payment_customer_id: `cus_${n}` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(409)]);
    expect(await eventsOf(dev, patient.id)).toHaveLength(2);
  });

  describe('where the EMR id is missing', () => {
    const mrn = () => `${randomUUID().slice(0, 8).toUpperCase()}00`;
    /** As an import leaves it. */
    async function imported(legacyMrn: string | null = null) {
      const { ask, patient, organizationId } = await newDirectoryPatient(dev);
      const row = { id: randomUUID(), mrn: mrn(), organizationId, legacyMrn };
      await asOwner(dev, (sql) => sql`insert into patients.patient_directory ${sql(row)}`);
      const fill = async (emrPatientId: string | null, as = ask) => {
        const wanted = { emr_patient_id: emrPatientId };
        const { status, body } = await as('PATCH', `/patients/${row.id}`, wanted);
        return [status, status === 200 ? body.patient.emr_patient_id : body.error];
      };
      return { ...row, fill, patient };
    }
    const inEmr = async (identifier: { system: string; value: string }[]) =>
      (await newPatient(dev, 'NY', (complete) => ({ ...complete, identifier }))).id;
    const ours = (value: string) => ({ system: 'https://scriptrail.health/mrn', value });
    const old = (value: string) => ({ system: 'urn:old', value });

    test('200 of an EMR patient that carries our MRN, or the legacy MRN', async () => {
      const one = await imported();
      const numbered = await inEmr([ours(one.mrn)]);
      expect(await one.fill(numbered)).toEqual([200, numbered]);
      const other = await imported('L-7');
      const legacy = await inEmr([old('L-7')]);
      expect(await other.fill(legacy)).toEqual([200, legacy]);
    });

    test('403 of any other, of one with another MRN of ours, and of none', async () => {
      const { fill, mrn: number } = await imported('L-8');
      for (const id of [
        await inEmr([]),
        await inEmr([old(number)]),
        await inEmr([ours('ZZZZZZZZZZ'), old('L-8')]),
        randomUUID(),
      ])
        expect(await fill(id)).toEqual([403, 'forbidden']);
    });

    test('502 while the EMR cannot be asked whose it is', async () => {
      const { fill } = await imported('L-9');
      const emrPatientId = await inEmr([old('L-9')]);
      await setFault(dev, { target: 'emr', kind: 'status', status: 403, times: 1, about: emrPatientId });
      expect(await fill(emrPatientId)).toEqual([502, 'emr_unavailable']);
    });

    test('200 of any for a superadmin, 409 conflict when another patient has it', async () => {
      const { fill, patient } = await imported();
      expect(await fill(patient.emr_patient_id)).toEqual([409, 'conflict']);
      const emrPatientId = await inEmr([]);
      expect(await fill(emrPatientId, superadmin)).toEqual([200, emrPatientId]);
    });
  });

  test.each([{ surprise: 1 }, { emr_patient_id: 'not/an id' }, []])('400: %j', async (wrong) => {
    const { status, body } = await made.ask('PATCH', `/patients/${made.patient.id}`, wrong);
    expect([status, body.error]).toEqual([400, 'validation_failed']);
  });

  test('409 conflict: the patient is archived', async () => {
    const { ask, patient } = await newDirectoryPatient(dev);
    await ask('POST', `/patients/${patient.id}/archive`);
    const { status, body } = await ask('PATCH', `/patients/${patient.id}`, { legacy_mrn: 'old-1' });
    expect([status, body]).toEqual([409, { error: 'conflict', message: 'The patient is archived' }]);
  });
});

describe('POST /v1/patients/:id/archive', () => {
  test('200: once, with one event that reaches the outside; again it changes nothing', async () => {
    const { ask, patient, organizationId } = await newDirectoryPatient(dev);
    const first = await ask('POST', `/patients/${patient.id}/archive`);
    expect(first.status).toBe(200);
    const { archived_at: archivedAt } = first.body.patient;
    expect(archivedAt).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

    const again = await ask('POST', `/patients/${patient.id}/archive`);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const detail = {
      patientId: patient.id,
      emrPatientId: patient.emr_patient_id,
      organizationId,
      archivedAt,
    };
    expect((await eventsOf(dev, patient.id)).slice(1)).toEqual([
      { detailType: 'patient.archived', organizationId, detail },
    ]);
    const told = await eventually(async () => {
      const { events } = await sandbox<{
        events: { event: { type: string; data: { patientId?: string } } }[];
      }>(dev, '/events');
      return events.find(
        ({ event: { type, data } }) => type === 'patient.archived' && data.patientId === patient.id,
      );
    });
    expect(told.event.data).toEqual(detail);
  });
});

describe('of an archived organization', () => {
  const archive = ({ organizationId }: Made) =>
    asOwner(dev, (sql) =>
      keepPublishedStatus(sql, { organizationId, status: 'archived', at: new Date().toISOString() }),
    );

  test.each(table(({ name }) => name !== 'POST /patients'))(
    '%s: 404 for its members, whose tokens still hold, and 200 for a superadmin',
    async (_name, route) => {
      const gone = await newDirectoryPatient(dev);
      expect((await send(gone.ask, route, gone)).status).toBeLessThan(300);
      await archive(gone);
      const answer = await send(gone.ask, route, gone);
      expect([answer.status, answer.body]).toEqual([404, unknown]);
      const closed = route.name.startsWith('POST /patients/:id/intake') ? 409 : 200;
      expect([200, 201, closed]).toContain((await send(superadmin, route, gone)).status);
    },
  );

  test('GET /patients/:id/intake-snapshots/:snapshotId: 404 for its members', async () => {
    const gone = await newDirectoryPatient(dev);
    const path = `/patients/${gone.patient.id}/intake-snapshots`;
    const [snapshot] = (await gone.ask('GET', path)).body.snapshots;
    expect((await gone.ask('GET', `${path}/${snapshot!.id}`)).status).toBe(200);
    await archive(gone);
    expect((await gone.ask('GET', `${path}/${snapshot!.id}`)).status).toBe(404);
  });
});

test('ids in upper case mean the same, and events carry them in lower case', async () => {
  const organizationId = await organization(dev);
  const ask = asking(dev, await memberOf(dev, organizationId));
  const { status, body } = await ask('POST', '/patients', newBody(organizationId.toUpperCase()));
  expect([status, body.patient.organization_id]).toEqual([201, organizationId]);
  const { id } = body.patient;
  expect((await ask('PATCH', `/patients/${id.toUpperCase()}`, { payment_customer_id: 'cus_1' })).status).toBe(
    200,
  );
  expect((await ask('POST', `/patients/${id.toUpperCase()}/archive`)).status).toBe(200);
  expect(await eventsOf(dev, id)).toMatchObject([
    { detailType: 'patient.created', detail: { organizationId } },
    { detailType: 'patient.identifier_updated' },
    { detailType: 'patient.archived', detail: { patientId: id } },
  ]);
});
