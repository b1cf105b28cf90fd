import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { defaultStateDir } from '../../../dev/dev-json.js';
import { loadSecrets } from '../../../dev/start/secrets.js';
import { createSql, type Sql } from '../../../db/client.js';
import { findReceivedIntake, keepIntake } from '../../../db/intake/submissions.js';
import { excludedStates } from '../../../domain/intake/intake.js';
import { jsonHash } from '../../../platform/crypto/ids.js';
import { issuePlanToken } from '../../../platform/crypto/plan-token.js';
import { createLogger } from '../../../platform/logger.js';
import type { WorkerContext } from '../../../workers/context.js';
import { intakeSweeps } from '../../../workers/intake/sweeps.js';
import { intakeWorkflowId } from '../../../workflows/ids.js';
import { adminToken, atOnce, callAs, eventually, sandbox, shared } from '../../helpers/client.js';
import {
  emrPatients,
  freshEmail,
  newIntake,
  planToken,
  postAtOnce,
  postIntake,
  storedSubmission,
} from './intakes.js';

const dev = shared();
const { planTokenSecret } = loadSecrets(defaultStateDir());
const minuteMs = 60_000;
const price = { intakeType: 'glp-1', plan: 'monthly', amountCents: 29_900 };

let sql: Sql;
let root: string;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  root = await adminToken(dev);
});
afterAll(() => sql.end());

/** `MM-DD-YYYY` of so many years and days before today in UTC, the business's time zone here. */
function birthDate(years: number, days: number): string {
  const now = new Date();
  const date = new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate() - days));
  const [year, month, day] = date.toISOString().slice(0, 10).split('-');
  return `${month}-${day}-${year}`;
}

describe('POST /submit answers 200', () => {
  test('once the EMR has the patient, mapped field by field, and the submission is stored', async () => {
    const intake = await newIntake(dev, {
      email: `Ada.${randomUUID()}@Patients.test`,
      couponCode: 'WELCOME25',
    });
    const { status, body } = await postIntake(dev, intake);
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, submissionId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    const [patient, ...others] = await emrPatients(dev, intake.email);
    expect(others).toEqual([]);
    expect(patient).toMatchObject({
      name: [{ use: 'official', given: ['Ada'], family: 'Test' }],
      birthDate: '1984-02-29',
      gender: 'female',
      telecom: [
        { system: 'phone', use: 'mobile', value: '12025550101' },
        { system: 'email', value: intake.email },
      ],
      address: [
        {
          use: 'home',
          line: ['18 Larch Lane', 'Flat 3'],
          city: 'Sampleton',
          state: 'NY',
          postalCode: '13202',
        },
      ],
    });
    expect(await storedSubmission(dev, root, body.submissionId)).toEqual({
      id: body.submissionId,
      first_name: 'Ada',
      last_name: 'Test',
      email: intake.email.toLowerCase(),
      phone: '+1 (202) 555-0101',
      state: 'NY',
      intake_type: 'glp-1',
      emr_patient_id: patient?.id,
      status: 'submitted',
      data: intake,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test('for an address the EMR knows, in whatever case, with the patient of the same name and birth date', async () => {
    const email = freshEmail();
    const first = await postIntake(dev, await newIntake(dev, { email }));
    const second = await postIntake(
      dev,
      await newIntake(dev, { email: email.toUpperCase(), firstName: 'A.', lastName: 'TÉS-T' }),
    );
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body.submissionId).not.toBe(second.body.submissionId);
    const [patient, ...others] = await emrPatients(dev, email);
    expect(others).toEqual([]);
    expect(await storedSubmission(dev, root, second.body.submissionId)).toMatchObject({
      emr_patient_id: patient?.id,
      status: 'submitted',
    });
  });

  test('for what is left out or unknown: no gender is unknown, DC and lower case are states, extra fields stay', async () => {
    const {
      gender: _gender,
      address,
      ...rest
    } = await newIntake(dev, { state: 'dc', utm: { source: 'ad' } });
    const { line2: _line2, ...short } = address;
    const intake = { ...rest, address: short };
    const { status, body } = await postIntake(dev, intake);
    expect(status).toBe(200);
    const [patient] = await emrPatients(dev, intake.email);
    expect(patient).toMatchObject({ gender: 'unknown', address: [{ line: ['18 Larch Lane'] }] });
    const stored = await storedSubmission(dev, root, body.submissionId);
    expect(stored).toMatchObject({ state: 'DC', data: { ...intake, utm: { source: 'ad' } } });
  });

  test('and keeps the body byte for byte', async () => {
    const text = JSON.stringify(await newIntake(dev), null, 3).replace('"Ada"', '"\\u0041da"');
    const { status, body } = await postIntake(dev, text);
    expect(status).toBe(200);
    const [row] = await sql`select body from intake.submission where id = ${body.submissionId}`;
    expect(row?.['body']).toBe(text);
  });

  test('and keeps an empty coupon code as none, so that the charges are made without one', async () => {
    const { status, body } = await postIntake(dev, await newIntake(dev, { couponCode: '' }));
    expect(status).toBe(200);
    const [row] = await sql`select coupon_code from intake.submission where id = ${body.submissionId}`;
    expect(row).toEqual({ couponCode: null });
  });

  test('on the eighteenth birthday', async () => {
    const { status } = await postIntake(dev, await newIntake(dev, { dob: birthDate(18, 0) }));
    expect(status).toBe(200);
  });

  test('again for the same key and body, and stores it once, also when the token has expired meanwhile', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const email = freshEmail();
    const first = await postIntake(dev, await newIntake(dev, { email }), key);
    const planToken = issuePlanToken(planTokenSecret, { ...price, issuedAt: Date.now() - 16 * minuteMs });
    const intake = await newIntake(dev, { email, planToken });
    expect((await postIntake(dev, intake)).body.error).toBe('Plan token expired -- please refresh');
    // The record of the first request now holds the token that has expired, as it does 16 minutes later.
    const recorded = await sql`
      update intake.submission set body_hash = ${jsonHash(intake)} where id = ${first.body.submissionId} returning id
    `;
    expect(recorded).toHaveLength(1);
    const reordered = Object.fromEntries(Object.entries(intake).reverse());
    const second = await postIntake(dev, reordered, key);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const rows = await sql`select from intake.submission where email = ${intake.email}`;
    expect(rows).toHaveLength(1);
  });

  test('twenty times at once for one key and body, and stores it once', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const intake = await newIntake(dev);
    const answers = await atOnce(20, () => postIntake(dev, intake, key));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.submissionId)).size).toBe(1);
    const rows = await sql`select from intake.submission where email = ${intake.email}`;
    expect(rows).toHaveLength(1);
  });
});

describe('POST /submit answers 400', () => {
  test.each([
    ['firstName', { firstName: '' }],
    ['address.line1', { address: { line1: '', city: 'Sampleton', state: 'NY', zip: '13202' } }],
  ])('`Validation failed` with the path %s for %j', async (path, change) => {
    const { status, body } = await postIntake(dev, await newIntake(dev, change));
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'Validation failed' });
    expect(body.details).toEqual({ fieldErrors: { [path]: [expect.any(String)] }, formErrors: [] });
  });

  test('`Validation failed` for a key that is none', async () => {
    const { status, body } = await postIntake(dev, await newIntake(dev), {
      'idempotency-key': 'k'.repeat(201),
    });
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'Validation failed' });
  });

  test('for no body, and for one that is no JSON', async () => {
    expect(await postIntake(dev, undefined)).toMatchObject({
      status: 400,
      body: { error: 'Validation failed' },
    });
    expect(await postIntake(dev, '{"firstName":')).toMatchObject({
      status: 400,
      body: { error: 'Malformed JSON' },
    });
  });

  test.each([...excludedStates, 'ca'])('`Service is not available in your state` in %s', async (state) => {
    const child = { state, dob: birthDate(3, 0), planToken: '' };
    const { status, body } = await postIntake(dev, await newIntake(dev, child));
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'Service is not available in your state' },
    });
  });

  test('`You must be at least 18 years old` the day before the eighteenth birthday, before the token', async () => {
    const child = { dob: birthDate(18, -1), planToken: 'forged' };
    const { status, body } = await postIntake(dev, await newIntake(dev, child));
    expect({ status, body }).toEqual({ status: 400, body: { error: 'You must be at least 18 years old' } });
  });

  test.each([
    ['forged', async () => `${(await planToken(dev)).split('.')[0]}.${'0'.repeat(64)}`],
    ['malformed', async () => 'token'],
    ['empty', async () => ''],
    ['for another intake type', () => planToken(dev, 'nad')],
    [
      'from the future',
      async () => issuePlanToken(planTokenSecret, { ...price, issuedAt: Date.now() + 2 * minuteMs }),
    ],
    ['signed by somebody else', async () => issuePlanToken('x'.repeat(32), { ...price, issuedAt: 0 })],
  ])('`Invalid plan token` for one that is %s', async (_kind, token) => {
    const { status, body, headers } = await postIntake(
      dev,
      await newIntake(dev, { planToken: await token() }),
    );
    expect({ status, body }).toEqual({ status: 400, body: { error: 'Invalid plan token' } });
    expect(headers.get('error-code')).toBe('plan_token_invalid');
  });

  test('`Plan token expired -- please refresh` for one of more than 15 minutes ago', async () => {
    const issuedAt = Date.now() - 15 * minuteMs - 1;
    const token = issuePlanToken(planTokenSecret, { ...price, issuedAt });
    const { status, body, headers } = await postIntake(dev, await newIntake(dev, { planToken: token }));
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'Plan token expired -- please refresh' },
    });
    expect(headers.get('error-code')).toBe('plan_token_expired');
  });

  test('and asks the EMR nothing', async () => {
    const intake = await newIntake(dev, { state: 'TX' });
    await postIntake(dev, intake);
    expect(await emrPatients(dev, intake.email)).toEqual([]);
  });
});

describe('POST /submit answers otherwise', () => {
  test('409 for a key that was used with another body', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const intake = await newIntake(dev);
    await postIntake(dev, intake, key);
    const { status, body } = await postIntake(dev, { ...intake, firstName: 'Bea' }, key);
    expect({ status, body }).toEqual({
      status: 409,
      body: { error: 'Idempotency-Key already used with a different body' },
    });
  });

  test('409 to all but one body of two that come at once under one key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const intake = await newIntake(dev);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_each, index) =>
        postIntake(dev, { ...intake, firstName: index % 2 === 0 ? 'Ada' : 'Bea' }, key),
      ),
    );
    const named = (name: number) =>
      new Set(answers.filter((_each, index) => index % 2 === name).map((a) => a.status));
    expect([named(0), named(1)].map((statuses) => [...statuses])).toEqual(
      expect.arrayContaining([[200], [409]]),
    );
    expect(await sql`select from intake.submission where email = ${intake.email}`).toHaveLength(1);
  });

  test('500 `Failed to save submission` when the database refuses it, and nothing is stored', async () => {
    const intake = await newIntake(dev, { lastName: `Refused${randomUUID()}` });
    await sql.unsafe(`
      create or replace function intake.refuse_test() returns trigger language plpgsql as $$
        begin
          if new.last_name like 'Refused%' then raise exception 'refused by a test'; end if;
          return new;
        end $$;
      create or replace trigger refuse_test before insert on intake.submission
        for each row execute function intake.refuse_test();
    `);
    const key = { 'idempotency-key': randomUUID() };
    const refused = await postIntake(dev, intake, key);
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 500,
      body: { error: 'Failed to save submission' },
    });
    await sql.unsafe('drop trigger refuse_test on intake.submission; drop function intake.refuse_test();');
    expect(await sql`select from intake.submission where email = ${intake.email}`).toEqual([]);
    // And the same request is taken once the database takes it.
    expect((await postIntake(dev, intake, key)).status).toBe(200);
    expect(await emrPatients(dev, intake.email)).toHaveLength(1);
  });
});

describe('fifty intakes of one new address at once', () => {
  test('make one patient in the EMR', async () => {
    const email = freshEmail();
    const intakes = await atOnce(50, () => newIntake(dev, { email }));
    const answers = await postAtOnce(dev, intakes);
    expect(new Set(answers.map(({ body }) => body.submissionId)).size).toBe(50);
    const patients = await emrPatients(dev, email);
    expect(patients).toHaveLength(1);
    // Who came while the EMR had enough to do has the patient with the next attempt.
    const rows = await eventually(async () => {
      const found = await sql<{ status: string; emrPatientId: string; count: number }[]>`
        select status, emr_patient_id, count(*)::int from intake.submission where email = ${email} group by 1, 2
      `;
      return found.length === 1 && found;
    });
    expect([...rows]).toEqual([{ status: 'submitted', emrPatientId: patients[0]?.id, count: 50 }]);
  });
});

describe('an intake whose run was never started', () => {
  const bodyHash = 'hash';
  const received = { body: '{}', bodyHash, plan: 'monthly', planAmountCents: 29_900 };
  const left = new Error('the sweep of the system shall not see it');

  /** Sweeps over an intake of two hours ago. @returns whether it is still there */
  async function sweepOver(submissionId: string, whileItLooks?: (sql: Sql) => Promise<unknown>) {
    let isThere: boolean | undefined;
    const sweeping = sql.begin(async (transaction) => {
      const sql = transaction as unknown as Sql;
      await keepIntake(sql, { submissionId, ...received });
      await sql`
        update intake.received_submission set received_at = now() - interval '2 hours'
        where submission_id = ${submissionId}
      `;
      const describe = async () => {
        await whileItLooks?.(sql);
        throw new WorkflowNotFoundError('not found', intakeWorkflowId(submissionId), undefined);
      };
      const temporal = { workflow: { getHandle: () => ({ describe }) } } as unknown as Client;
      const config = { service: () => ({ EMR_BASE_URL: dev.emr.baseUrl, EMR_TOKEN: dev.emr.token }) };
      const logger = createLogger({ level: 'silent' });
      const context = { sql, temporal, logger, config } as unknown as WorkerContext;
      await intakeSweeps(context).find(({ name }) => name === 'dropLeftIntakes')?.();
      isThere = (await findReceivedIntake(sql, submissionId)) !== undefined;
      throw left;
    });
    await expect(sweeping).rejects.toBe(left);
    return isThere;
  }

  test('is dropped after an hour, but not when it is handed in again at that moment', async () => {
    expect(await sweepOver(randomUUID())).toBe(false);
    const submissionId = randomUUID();
    const handInAgain = (sql: Sql) => keepIntake(sql, { submissionId, ...received });
    expect(await sweepOver(submissionId, handInAgain)).toBe(true);
  });
});

describe('personal data', () => {
  test('stands in no address that the EMR was asked under', async () => {
    const intake = await newIntake(dev, {
      firstName: 'Quentin',
      lastName: `Marlowe${randomUUID().slice(0, 8)}`,
    });
    await postIntake(dev, intake);
    const { requests } = await sandbox<{ requests: { path: string; body: unknown }[] }>(
      dev,
      '/requests?target=emr',
    );
    const own = requests.filter(({ body }) => JSON.stringify(body).includes(intake.email));
    expect(own.length).toBeGreaterThanOrEqual(3);
    for (const { path } of own) expect(['/fhir/R4/Patient/_search', '/fhir/R4/Patient']).toContain(path);
  });
});

describe('a submission with a saved card', () => {
  test('is shown with the ids of the payment step in its data', async () => {
    const intake = await newIntake(dev);
    const { body } = await postIntake(dev, intake);
    const paid = await callAs(dev, 'intake', undefined, {
      method: 'POST',
      path: '/save-payment-info',
      body: { submissionId: body.submissionId, paymentMethodId: 'pm_card_visa' },
    });
    expect(paid.status).toBe(200);
    const { data } = await storedSubmission(dev, root, body.submissionId);
    expect(data).toEqual({ ...intake, paymentMethodId: 'pm_card_visa' });
  });
});
