import { beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { eventually } from '../../helpers/client.js';
import { asOwner, emrPatientsUnder, newBody } from '../../api/patients/directory.js';
import { findCanaries } from '../canary-search.js';
import { type Creates, inCommits, openCreates } from '../creates.js';
import { clearFaults, setFault } from '../faults.js';
import { dev, searchEverything, stateDir } from '../faulty-system.js';

searchEverything();

let creates: Creates;
beforeAll(async () => {
  creates = await openCreates(dev, stateDir);
});

describe('an EMR that fails', () => {
  const rowsOf = (id: string) =>
    asOwner(
      dev,
      (sql) => sql`
        select 1 from patients.patient_directory where id = ${id}
        union all
        select 1 from patients.outbox where aggregate_id = ${id}
      `,
    );

  test.each([
    ['is down', { kind: 'status', status: 503 }, 'EMR answered 503'],
    ['drops every connection', { kind: 'drop' }, 'EMR could not be reached'],
    ['refuses the patient', { kind: 'status', status: 422, operation: 'create' }, 'EMR answered 422'],
  ] as const)(
    '502: one that %s, with nothing left; the same request succeeds later',
    async (_name, fault, message) => {
      const { id, send } = creates.aCreate();
      await setFault(dev, { target: 'emr', ...fault });
      const { status, body } = await send();
      expect([status, body.error]).toEqual([502, 'emr_unavailable']);
      expect(body.message).toContain(message);
      expect(await rowsOf(id)).toEqual([]);
      const { mrn, state } = (await creates.intentOf(id))!;
      expect([state, await emrPatientsUnder(dev, mrn)]).toEqual(['failed', []]);

      await clearFaults(dev);
      const again = await send();
      expect([again.status, again.body.patient.mrn]).toEqual([201, mrn]);
    },
  );

  test('201: a lost answer makes no second patient', async () => {
    const { send } = creates.aCreate();
    await setFault(dev, { target: 'emr', operation: 'create', kind: 'lost-answer', times: 1 });
    const { status, body } = await send();
    expect(status).toBe(201);
    expect(await emrPatientsUnder(dev, body.patient.mrn)).toHaveLength(1);
  });

  test('201: every answer to the create lost: the patient is found by the number', async () => {
    const { send } = creates.aCreate();
    await setFault(dev, { target: 'emr', operation: 'create', kind: 'lost-answer' });
    const { status, body } = await send();
    expect(status).toBe(201);
    expect(await emrPatientsUnder(dev, body.patient.mrn)).toMatchObject([
      { id: body.patient.emr_patient_id },
    ]);
  });

  test('502: every answer lost, searches too: an orphan entry follows, or the same request adopts the patient', async () => {
    const [left, repeated] = [creates.aCreate(), creates.aCreate()];
    await setFault(dev, { target: 'emr', operation: 'search', kind: 'delay', delayMs: 0, times: 2 });
    await setFault(dev, { target: 'emr', operation: 'create', kind: 'lost-answer' });
    await setFault(dev, { target: 'emr', operation: 'search', kind: 'drop' });
    const answers = await Promise.all([left.send(), repeated.send()]);
    expect(answers.map(({ status }) => status)).toEqual([502, 502]);
    await clearFaults(dev);

    const adopted = await repeated.send();
    expect(adopted.status).toBe(201);
    expect(await emrPatientsUnder(dev, adopted.body.patient.mrn)).toHaveLength(1);
    const { mrn } = (await creates.intentOf(left.id))!;
    expect(await creates.unaccounted(mrn)).toHaveLength(1);
    await eventually(async () => (await creates.unaccounted(mrn)).length === 0);
  });
});

test('nothing of a person is in Temporal or in a log, whatever became of the create', async () => {
  const canaries: Record<string, string> = {
    firstName: 'Zephyrine',
    lastName: 'Quobbleworth',
    birthDate: '1913-07-19',
    email: 'zq.canary@umberhollow.test',
    phone: '5005559917',
    line1: '7719 Umberhollow Crescent',
    city: 'Fjordlingham',
    answer: 'seven plumbuses at noon',
    customer: 'cus_umberhollow',
  };
  const { firstName, lastName, birthDate: dob, phone, line1, city } = canaries;
  const demographics = { ...newBody(creates.organizationId).demographics, firstName, lastName, dob, phone };
  const body = newBody(creates.organizationId, {
    contactEmail: canaries['email'],
    demographics: { ...demographics, address: { line1, city, state: 'NY', zip: '13202' } },
    intake: {
      intakeType: 'nad',
      submittedAt: '2026-11-01T09:30:00Z',
      payload: { answer: canaries['answer'] },
    },
    identifiers: { payment_customer_id: canaries['customer'] },
  });
  const create = () => creates.ask('POST', '/patients', body);
  const { patient } = (await create()).body;
  canaries['mrn'] = patient.mrn;
  canaries['emrPatientId'] = patient.emr_patient_id!;
  expect((await creates.ask('GET', `/patients/by-mrn/${patient.mrn}`)).status).toBe(200);
  expect((await creates.ask('GET', `/patients/by-emr-id/${patient.emr_patient_id}x`)).status).toBe(404);
  expect((await creates.ask('PATCH', `/patients/${patient.id}`, { payment_customer_id: 'x' })).status).toBe(
    409,
  );
  expect(
    (
      await creates.ask('POST', '/patients/email-lookup', {
        organizationId: creates.organizationId,
        email: body.contactEmail,
      })
    ).status,
  ).toBe(200);
  await setFault(dev, { target: 'emr', operation: 'create', kind: 'status', status: 422 });
  expect((await create()).status).toBe(502);
  await clearFaults(dev);
  // With the row in the details, as the database's own refusals have it.
  const mend = await inCommits(dev, `raise exception 'broken' using detail = row_to_json(new)::text`);
  expect((await create()).status).toBe(500);
  await mend();

  const folder = (name: string) => ({ folder: join(stateDir, name) });
  const outside = findCanaries(canaries, folder('sandbox')).join('\n');
  for (const field of ['line1', 'mrn', 'phone']) expect(outside).toContain(`: ${field}`);
  expect(findCanaries({ id: patient.id }, folder('temporal'))).not.toEqual([]);
  expect(findCanaries({ route: '/v1/patients/by-mrn/:mrn' }, folder('logs'))).not.toEqual([]);
  expect(findCanaries(canaries, folder('temporal'))).toEqual([]);
  expect(findCanaries(canaries, folder('logs'))).toEqual([]);
});
