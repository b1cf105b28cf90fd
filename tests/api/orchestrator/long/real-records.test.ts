import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Patient } from 'fhir/r4.js';
import { call, callAs, freshTask, shared } from '../../../helpers/client.js';
import { newPatient, saveCard } from '../../../helpers/patients.js';
import { emrPatients, freshEmail, newIntake, postIntake } from '../../intake/intakes.js';
import { approve, messagesTo, ordersOf, semaglutideFor } from '../approvals.js';

const dev = shared();
const ended = { end: '2020-07-22' };
/** A number that no other patient has. */
const freshPhone = () =>
  `206${String(Number(BigInt(`0x${randomUUID().slice(0, 8)}`)) % 10_000_000).padStart(7, '2')}`;
const preflight = async (body: unknown) => {
  const answer = await call<{
    ready: boolean;
    findings: { code: string; severity: string; message: string }[];
  }>(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/preflight', body });
  return answer.body;
};

describe('an approval goes by the entries that count', () => {
  test('in its order, its label and its messages, and in a denial', async () => {
    const [phone, oldPhone] = [freshPhone(), freshPhone()];
    const [email, oldEmail] = [freshEmail(), freshEmail()];
    const patient = await newPatient(dev, 'WA', (complete) => ({
      ...complete,
      name: [
        { use: 'old', family: 'Shore', given: ['Dana'], period: ended },
        { use: 'nickname', given: ['Didi'] },
        { family: ' Banks ', given: ['Dana'], suffix: ['Jr.'] },
      ],
      telecom: [
        { system: 'phone', use: 'mobile', value: oldPhone, period: ended },
        { system: 'phone', use: 'home', value: `${phone} x12` },
        { system: 'email', use: 'old', value: oldEmail },
        { system: 'email', use: 'home', value: `${email} ` },
      ],
      address: [
        { use: 'old', line: ['1 Former Rd'], city: 'Austin', state: 'TX', postalCode: '78701' },
        {
          line: ['183 New View St', 'Bldg 7', 'Apt 3B'],
          city: 'Seattle',
          state: 'Washington',
          postalCode: ' 98101 ',
        },
      ],
    }));
    const approval = semaglutideFor(patient.id);
    expect(await preflight(approval)).toMatchObject({ ready: true });
    const { status, body } = await approve(dev, approval);
    expect([status, body.result.patientName, body.result.warnings]).toEqual([
      200,
      'Dana Banks Jr.',
      ['payment_failed'],
    ]);
    const [order] = await ordersOf(dev, approval.taskId);
    expect(order).toMatchObject({
      pharmacy: 'pharmacy_a',
      body: {
        patient: { firstName: 'Dana', lastName: 'Banks Jr.', phone, email },
        shipTo: { phone, line1: '183 New View St', line2: 'Bldg 7, Apt 3B', state: 'WA', zip: '98101' },
      },
    });
    await call(dev, 'orchestrator', {
      method: 'POST',
      path: '/orchestrator/deny',
      body: { taskId: freshTask(), emrPatientId: patient.id },
    });
    const told = await messagesTo(dev, { ...patient, email, phone: `+1${phone}` });
    expect(told.filter(({ subject }) => subject !== null).length).toBeGreaterThanOrEqual(2);
    expect(await messagesTo(dev, { ...patient, email: oldEmail, phone: `+1${oldPhone}` })).toEqual([]);
  });

  test('and one bad contact silences no other', async () => {
    const [phone, email] = [freshPhone(), freshEmail()];
    const withContacts = async (...telecom: NonNullable<Patient['telecom']>) => {
      const patient = await newPatient(dev, 'NY', (complete) => ({ ...complete, telecom }));
      await saveCard(dev, patient);
      return patient;
    };
    const badMail = await withContacts(
      { system: 'phone', value: phone },
      { system: 'email', value: 'ask my clinic' },
    );
    const approval = semaglutideFor(badMail.id);
    const { ready, findings } = await preflight(approval);
    expect(ready).toBe(true);
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'no_contact',
        severity: 'warns',
        message: expect.stringMatching(/: email$/),
      }),
    );
    expect((await approve(dev, approval)).body.result.warnings).toEqual([]);
    expect(await messagesTo(dev, { ...badMail, phone: `+1${phone}` })).toMatchObject([{ channel: 'sms' }]);

    const noTexts = await withContacts(
      {
        system: 'phone',
        value: freshPhone(),
        extension: [
          { url: 'http://schemas.canvasmedical.com/fhir/extensions/has-consent', valueBoolean: false },
        ],
      },
      { system: 'email', value: email },
    );
    expect((await approve(dev, semaglutideFor(noTexts.id))).body.result.warnings).toEqual([]);
    expect(await messagesTo(dev, { ...noTexts, email })).toMatchObject([{ channel: 'email' }]);
  });
});

describe('preflight and approve say the same of', () => {
  test.each<[string, Partial<Patient>, string]>([
    ['a birth date in the future', { birthDate: '2031-05-06' }, 'dob'],
    ['a birth date that is no day', { birthDate: '1984-02-30' }, 'dob'],
    ['a name that no order takes', { name: [{ family: 'R'.repeat(501), given: ['D'] }] }, 'lastName'],
    [
      'an old address alone',
      { address: [{ use: 'old', line: ['12 Elm St'], city: 'Seattle', state: 'WA', postalCode: '98101' }] },
      'address.line1, address.city, address.state, address.zip',
    ],
    [
      'an address abroad',
      { address: [{ line: ['1 High St'], city: 'London', state: 'NY', postalCode: '13202', country: 'GB' }] },
      'address.country',
    ],
  ])('%s', async (_what, changes, fields) => {
    const { id } = await newPatient(dev, 'NY', (complete) => ({ ...complete, ...changes }));
    const text = `incomplete: ${fields}`;
    const { ready, findings } = await preflight(semaglutideFor(id));
    expect([ready, findings[0]?.code, findings[0]?.message]).toEqual([
      false,
      'patient_incomplete',
      `The patient record is ${text}`,
    ]);
    expect((await approve(dev, semaglutideFor(id))).body.error).toBe(`Patient record is ${text}`);
  });

  test.each<[string, Partial<Patient>, string]>([
    ['patient_deceased', { deceasedDateTime: '2026-11-01T00:00:00Z' }, 'is deceased'],
    [
      'patient_merged',
      { active: false, link: [{ type: 'replaced-by', other: { reference: 'Patient/x' } }] },
      'was merged',
    ],
    ['patient_inactive', { active: false, gender: 'other' }, 'is inactive'],
  ])('a patient who has left: %s', async (code, changes, text) => {
    const patient = await newPatient(dev, 'NY', (complete) => ({ ...complete, ...changes }));
    const approval = semaglutideFor(patient.id);
    const { ready, findings } = await preflight(approval);
    expect([
      ready,
      ...findings.filter(({ severity }) => severity === 'blocks').map((one) => one.code),
    ]).toEqual([false, code]);
    const { status, body } = await approve(dev, approval);
    expect([status, body.failedStep, body.error]).toEqual([
      500,
      'patient_details',
      `Patient ${text} in EMR: ${patient.id}`,
    ]);
    expect(await ordersOf(dev, approval.taskId)).toEqual([]);
  });

  test('and nobody tells the dead of a denial', async () => {
    const patient = await newPatient(dev, 'NY', (complete) => ({ ...complete, deceasedBoolean: true }));
    const body = { taskId: freshTask(), emrPatientId: patient.id };
    expect(
      (await call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/deny', body })).status,
    ).toBe(200);
    expect(await messagesTo(dev, patient)).toEqual([]);
  });
});

describe('an intake', () => {
  test('of a twin gets a patient of its own', async () => {
    const email = freshEmail();
    const twins = [{ firstName: 'Ada' }, { firstName: 'Ben', gender: 'male' }];
    for (const twin of twins)
      expect((await postIntake(dev, await newIntake(dev, { email, ...twin }))).status).toBe(200);
    const found = await emrPatients(dev, email);
    expect(found.map(({ name }) => name?.[0]?.given?.[0]).sort()).toEqual(['Ada', 'Ben']);
  });

  test('joins the record that took a merged one’s place, and no inactive one', async () => {
    const email = freshEmail();
    const intake = await newIntake(dev, { email, firstName: 'Dana', lastName: 'Rivers', dob: '05-06-1984' });
    const person: Partial<Patient> = {
      name: [{ family: 'Rivers', given: ['Dana'] }],
      birthDate: '1984-05-06',
      telecom: [{ system: 'email', value: email }],
    };
    const survivor = await newPatient(dev, 'NY', (complete) => ({ ...complete, ...person, telecom: [] }));
    await newPatient(dev, 'NY', (complete) => ({
      ...complete,
      ...person,
      active: false,
      link: [{ type: 'replaced-by', other: { reference: `Patient/${survivor.id}` } }],
    }));
    expect((await postIntake(dev, intake)).status).toBe(200);
    // Nobody was made beside the merged one.
    expect(await emrPatients(dev, email)).toHaveLength(1);

    const other = freshEmail();
    await newPatient(dev, 'NY', (complete) => ({
      ...complete,
      ...person,
      active: false,
      telecom: [{ system: 'email', value: other }],
    }));
    expect((await postIntake(dev, { ...intake, email: other })).status).toBe(200);
    expect(await emrPatients(dev, other)).toHaveLength(2);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a blank name', { firstName: '   ' }, 'firstName'],
    ['a blank line', { address: { line1: '  ', city: 'A', state: 'NY', zip: '13202' } }, 'address.line1'],
    ['a blank ZIP', { address: { line1: '1', city: 'A', state: 'NY', zip: '     ' } }, 'address.zip'],
    ['a phone that is none', { phone: '555-0143 (work)' }, 'phone'],
  ])('with %s is 400', async (_what, change, field) => {
    const { status, body } = await postIntake(dev, await newIntake(dev, change));
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(`"${field}"`)]);
  });

  test.each(['o&leary', 'a!test', 'dept/dana'])('from %s@… is taken', async (name) => {
    const email = `${name}${randomUUID().slice(0, 8)}@example.test`;
    const intake = await newIntake(dev, { email: ` ${email} `, phone: '(206) 555-0143 x123' });
    expect((await postIntake(dev, intake)).status).toBe(200);
    expect(await emrPatients(dev, email)).toMatchObject([
      {
        telecom: [
          { system: 'phone', value: '2065550143' },
          { system: 'email', value: email },
        ],
      },
    ]);
  });

  test('asks for a code at an internationalized address', async () => {
    const body = { email: `dana${randomUUID().slice(0, 8)}@bücher.example` };
    const { status } = await callAs(dev, 'intake', undefined, {
      method: 'POST',
      path: '/verify-email/send',
      body,
    });
    expect(status).toBe(200);
  });
});
