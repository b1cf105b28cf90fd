import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createSql, type Sql } from '../../../db/client.js';
import { publishPaymentProfile } from '../../../db/intake/payment-profiles.js';
import { putPaymentProfile } from '../../../dev/seed/payment-profiles.js';
import { createPaymentClient } from '../../../integrations/stripe/client.js';
import { OutboundError } from '../../../platform/http/outbound.js';
import { atOnce, eventually, freshTask, sandbox, shared } from '../../helpers/client.js';
import { approve, chargesOf, semaglutideFor } from '../orchestrator/approvals.js';
import { newPatient, saveCard, stripe } from '../../helpers/patients.js';
import { freshAddress, ownIntake, proofOf, visit } from './visitors.js';

const dev = shared();
let sql: Sql;
/** A gateway with production's limits that cannot reach the payment processor. */
let cutOff: Awaited<ReturnType<typeof ownIntake>>;
/** A gateway that requires a proof of the mailbox. */
let strict: Awaited<ReturnType<typeof ownIntake>>;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
  cutOff = await ownIntake(dev, { STRIPE_API_BASE: 'http://127.0.0.1:1' });
  strict = await ownIntake(dev, { INTAKE_REQUIRE_EMAIL_PROOF: 'true' });
});
afterAll(async () => {
  await sql.end();
  await cutOff.stop();
  await strict.stop();
});

interface StripeCall {
  operation: string;
  path: string;
  status: number;
  body: Record<string, unknown> | null;
  responseBody: Record<string, unknown>;
}
/** Calls to the payment processor that were made about something, newest first. */
async function callsAbout(text: string): Promise<StripeCall[]> {
  const { requests } = await sandbox<{ requests: StripeCall[] }>(dev, '/requests?target=stripe');
  return requests.filter((request) => JSON.stringify(request).includes(text));
}

describe('POST /payment-intent', () => {
  const open = (body: unknown) => visit<Record<string, string>>(dev, '/payment-intent', body);

  test.each([
    ['{}', {}],
    ['no body', ''],
  ])('200: a session in which a card can be saved, for %s', async (_name, body) => {
    const answer =
      body === ''
        ? await fetch(`${dev.services.intake}/payment-intent`, { method: 'POST' }).then(async (response) => ({
            status: response.status,
            body: (await response.json()) as Record<string, string>,
          }))
        : await open(body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      setupIntentId: expect.stringMatching(/^seti_/),
      clientSecret: expect.stringContaining(answer.body['setupIntentId'] ?? '-'),
    });
    const [made] = await callsAbout(answer.body['setupIntentId'] ?? '-');
    expect(made).toMatchObject({ operation: 'setupIntents.create', responseBody: { customer: null } });
  });

  test.each(['no', 'a forged', "another address's"])(
    '200: where no proof is required, the session belongs to the customer, with %s proof',
    async (proof) => {
      const { id } = await stripe(dev, 'customers', { email: freshAddress() });
      const emailProof =
        { no: undefined, 'a forged': 'forged' }[proof] ?? (await proofOf(dev, freshAddress()));
      const given = proof === 'no' ? {} : { emailProof };
      const { status, body } = await open({ customerId: id, ...given });
      expect(status).toBe(200);
      const [made] = await callsAbout(body['setupIntentId'] ?? '-');
      expect(made?.responseBody).toMatchObject({ customer: id, usage: 'off_session' });
    },
  );

  test.each(['cus_unknown', '..', '../customers'])(
    '500: where no proof is required, a customer whom the processor does not know: %s',
    async (customerId) => {
      const { status, body } = await open({ customerId });
      expect([status, body]).toEqual([500, { error: 'Failed to create payment intent' }]);
    },
  );

  test('200: where a proof is required, only the customer of the proven address gets the session', async () => {
    const email = freshAddress();
    const [own, another] = await Promise.all([
      stripe(dev, 'customers', { email: email.toUpperCase() }),
      stripe(dev, 'customers', { email: freshAddress() }),
    ]);
    const emailProof = await proofOf(dev, email);
    for (const [customerId, customer] of [
      [own.id, own.id],
      [another.id, null],
      ['cus_unknown', null],
      ['..', null],
      ['../customers', null],
    ]) {
      const { status, body } = await visit<Record<string, string>>(strict.dev, '/payment-intent', {
        customerId,
        emailProof,
      });
      expect([customerId, status]).toEqual([customerId, 200]);
      const [made] = await callsAbout(body['setupIntentId'] ?? '-');
      expect(made?.responseBody).toMatchObject({ customer, usage: 'off_session' });
    }
  });

  test('400: an empty customer id', async () => {
    const { status, body } = await open({ customerId: '' });
    expect([status, body['error']]).toEqual([400, 'Validation failed']);
  });

  test('400: a body that is null is not a body left out', async () => {
    const { status, body } = await open('null');
    expect([status, body['error']]).toEqual([400, 'Validation failed']);
  });

  test('500: a processor that cannot be reached', async () => {
    const { status, body } = await visit(cutOff.dev, '/payment-intent', {});
    expect([status, body]).toEqual([500, { error: 'Failed to create payment intent' }]);
  });
});

describe('POST /validate-coupon', () => {
  const look = (code: unknown) => visit(dev, '/validate-coupon', { code });
  const nothing = { valid: false, amountOff: null, percentOff: null };

  test.each([
    ['WELCOME25', { valid: true, amountOff: null, percentOff: 25 }],
    ['TENOFF', { valid: true, amountOff: 10, percentOff: null }],
    ['EXPIRED', { ...nothing, reason: 'Coupon is no longer valid' }],
    ['NEVERMADE', { ...nothing, reason: 'Coupon not found' }],
    ['welcome25', { ...nothing, reason: 'Coupon not found' }],
    ['WELCOME25 ', { ...nothing, reason: 'Coupon not found' }],
    ['.', { ...nothing, reason: 'Coupon not found' }],
    ['../customers', { ...nothing, reason: 'Coupon not found' }],
    ['%2e%2e/ü?#', { ...nothing, reason: 'Coupon not found' }],
    ['ü'.repeat(500), { ...nothing, reason: 'Coupon not found' }],
    ['x'.repeat(4_000), { ...nothing, reason: 'Coupon not found' }],
  ])('200: %.30s', async (code, verdict) => {
    const { status, body } = await look(code);
    expect([status, body]).toEqual([200, verdict]);
  });

  test.each(['', '.', '..', '../customers', '..\\customers'])(
    'a code that would be another path never gets to the processor: %j',
    async (code) => {
      const { findCoupon } = createPaymentClient({ apiBase: 'http://127.0.0.1:1', secretKey: 'nobody' });
      await expect(findCoupon(code, 1_000)).resolves.toBeUndefined();
      await expect(findCoupon(`x${code.replace(/[/\\]/g, '')}`, 1_000)).rejects.toThrow(OutboundError);
    },
  );

  test('200: a code of 500 characters, which is the longest there can be', async () => {
    const id = freshTask().padEnd(500, 'x');
    await stripe(dev, 'coupons', { id, percent_off: '5' });
    expect((await look(id)).body).toEqual({ valid: true, amountOff: null, percentOff: 5 });
    expect((await look(`${id}x`)).body).toEqual({ ...nothing, reason: 'Coupon not found' });
  });

  test('200: 5000 cents are 50 dollars', async () => {
    const { id } = await stripe(dev, 'coupons', { id: freshTask(), amount_off: '5000', currency: 'usd' });
    expect((await look(id)).body).toEqual({ valid: true, amountOff: 50, percentOff: null });
  });

  test.each([
    [
      'an amount in another currency is not one of ours',
      { amount_off: '5000', currency: 'jpy' },
      'Coupon not found',
    ],
    [
      'one for products of the processor does not fit what we charge for',
      { percent_off: '10', 'applies_to[products][0]': 'prod_1' },
      'Coupon is no longer valid',
    ],
  ])('200: %s', async (_name, terms, reason) => {
    const { id } = await stripe(dev, 'coupons', { id: freshTask(), ...terms });
    expect((await look(id)).body).toEqual({ ...nothing, reason });
  });

  test('200: one whose last redemption was charged here is no longer valid', async () => {
    const terms = { id: freshTask(), percent_off: '50', duration: 'forever', max_redemptions: '1' };
    const { id: couponId } = await stripe(dev, 'coupons', terms);
    expect((await look(couponId)).body).toMatchObject({ valid: true });
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient, { couponId });
    expect((await approve(dev, semaglutideFor(patient.id))).body.result.warnings).toEqual([]);
    expect((await look(couponId)).body).toEqual({ ...nothing, reason: 'Coupon is no longer valid' });
  });

  test.each([[undefined], [''], [' '], [null], [25]])('400: a code of %j', async (code) => {
    const { status, body } = await look(code);
    expect([status, body]).toEqual([400, { error: 'Coupon code is required' }]);
  });

  test('500: a processor that cannot be reached; 429: after twenty in a minute', async () => {
    for (let n = 0; n < 20; n += 1) {
      const { status, body } = await visit(cutOff.dev, '/validate-coupon', { code: 'WELCOME25' });
      expect([status, body]).toEqual([500, { error: 'Failed to validate coupon' }]);
    }
    const { status, body, headers } = await visit(cutOff.dev, '/validate-coupon', { code: 'WELCOME25' });
    expect([status, body, headers.get('ratelimit-limit')]).toEqual([
      429,
      { error: 'Too many requests' },
      '20',
    ]);
  });
});

/** A submission as /submit leaves it behind; its EMR patient is missing when the EMR was down. */
async function newSubmission(options: { emrPatientId?: string | null; couponCode?: string } = {}) {
  const { emrPatientId = (await newPatient(dev, 'WA')).id, couponCode = null } = options;
  const id = randomUUID();
  const email = freshAddress();
  const body = `{"firstName":"Ada",  "lastName":"Test","email":"${email}","unknown":1e2}`;
  await sql`
    insert into intake.submission (id, first_name, last_name, email, intake_type, emr_patient_id, status, body, data,
      body_hash, plan, plan_amount_cents, coupon_code)
    values (${id}, 'Ada', 'Test', ${email}, 'nad', ${emrPatientId},
      ${emrPatientId === null ? 'pending_emr' : 'submitted'}, ${body}, ${body}::text::json, 'hash', 'monthly', 19900,
      ${couponCode})
  `;
  return { id, email, body, emrPatientId: emrPatientId ?? '' };
}
const save = (submissionId: unknown, more: object = {}) =>
  visit(dev, '/save-payment-info', { submissionId, paymentMethodId: 'pm_card_visa', ...more });

const parsed = (body: string) => JSON.parse(body) as Record<string, unknown>;

interface Stored {
  body: string;
  data: Record<string, unknown>;
  customerId: string | null;
  cardId: string | null;
}
async function stored(id: string): Promise<Stored> {
  const [row] = await sql<Stored[]>`
    select body, data, customer_id, card_id from intake.submission where id = ${id}
  `;
  if (!row) throw new Error('no such submission');
  return row;
}
const profileOf = async (emrPatientId: string) => {
  const [profile] = await sql<Record<string, unknown>[]>`
    select customer_id, payment_method_id, coupon_id, amount_cents, currency, intake_type
    from orchestrator.payment_profile
    where emr_patient_id = ${emrPatientId}
  `;
  return profile;
};
const eventsOf = (id: string) => sql`select detail from intake.outbox where aggregate_id = ${id}`;
/** As a browser saves it: by a session of its own, which belongs to no customer. */
async function cardOfSession(): Promise<{ paymentMethodId: string; setupIntentId: string }> {
  const { body } = await visit<{ setupIntentId: string }>(dev, '/payment-intent', {});
  const { payment_method: paymentMethodId } = (await stripe(
    dev,
    `setup_intents/${body.setupIntentId}/confirm`,
    { payment_method: 'pm_card_visa' },
  )) as unknown as { payment_method: string };
  return { paymentMethodId, setupIntentId: body.setupIntentId };
}
async function customersOf(email: string): Promise<{ id: string }[]> {
  const url = `${dev.stripe.apiBase}/v1/customers?email=${encodeURIComponent(email)}`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${dev.stripe.secretKey}` } });
  return ((await answer.json()) as { data: { id: string }[] }).data;
}

describe('POST /save-payment-info', () => {
  test('200: makes the customer, attaches the card, merges the ids into data, and the charges go there', async () => {
    const { id, email, body, emrPatientId } = await newSubmission({ couponCode: 'WELCOME25' });
    const answer = await save(id, { setupIntentId: 'seti_1' });
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);

    const [customer] = await customersOf(email);
    const row = await stored(id);
    expect(row).toEqual({
      body,
      data: { ...parsed(body), paymentMethodId: 'pm_card_visa', setupIntentId: 'seti_1' },
      customerId: customer?.id,
      cardId: expect.stringMatching(/^pm_(?!card_visa)/),
    });
    const [kept] = await sql<{ data: string }[]>`select data::text from intake.submission where id = ${id}`;
    expect(kept).toEqual({
      data: `${body.slice(0, -1)},"paymentMethodId":"pm_card_visa","setupIntentId":"seti_1"}`,
    });
    expect(await eventually(() => profileOf(emrPatientId))).toEqual({
      customerId: customer?.id,
      paymentMethodId: row.cardId,
      couponId: 'WELCOME25',
      amountCents: 19_900,
      currency: 'usd',
      intakeType: 'nad',
    });

    const approval = { ...semaglutideFor(emrPatientId), medication: 'nad' };
    expect((await approve(dev, approval)).body.result.warnings).toEqual([]);
    expect((await chargesOf(dev, approval.taskId)).map(({ amountCents }) => amountCents)).toEqual([14_925]);
  });

  test('200: however often it is called, also at the same time, there is one customer and one card', async () => {
    const { id, email } = await newSubmission();
    const answers = await atOnce(5, () => save(id));
    answers.push(await save(id));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const [customer, second] = await customersOf(email);
    expect(second).toBeUndefined();
    const attached = (await callsAbout(customer?.id ?? '-')).filter(
      ({ operation }) => operation === 'paymentMethods.attach',
    );
    expect(new Set(attached.map(({ responseBody }) => responseBody['id'])).size).toBe(1);
  });

  test('200: the card of a session without a customer, however often and also at the same time', async () => {
    const { id, email } = await newSubmission();
    const card = await cardOfSession();
    const answers = await atOnce(5, () => save(id, card));
    answers.push(await save(id, card));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const [customer, second] = await customersOf(email);
    expect(second).toBeUndefined();
    expect(await stored(id)).toMatchObject({ customerId: customer?.id, cardId: card.paymentMethodId });
  });

  test("500: the card of another submission's customer, although we made that customer", async () => {
    const [own, other] = [await newSubmission(), await newSubmission()];
    const card = await cardOfSession();
    expect((await save(other.id, card)).status).toBe(200);
    expect((await save(own.id, card)).status).toBe(500);
    expect((await stored(own.id)).customerId).toBeNull();
  });

  test('asks the processor under no address that says who pays', async () => {
    const { id, email } = await newSubmission();
    expect((await save(id)).status).toBe(200);
    const calls = await callsAbout(id);
    expect(calls.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['customers.search', 'customers.create']),
    );
    for (const { path } of calls) expect(decodeURIComponent(path)).not.toContain(email);
  });

  test('200: the customer is found again when the processor has forgotten the key', async () => {
    const { id, email } = await newSubmission();
    const earlier = await stripe(dev, 'customers', { email, 'metadata[submission_id]': id });
    expect((await save(id)).status).toBe(200);
    expect(await customersOf(email)).toMatchObject([{ id: earlier.id }]);
    expect((await stored(id)).customerId).toBe(earlier.id);
  });

  test('200: with a proof another card takes the place of the first, with the same customer', async () => {
    const { id, email, emrPatientId } = await newSubmission();
    await save(id);
    const first = await stored(id);
    const emailProof = await proofOf(dev, email.toUpperCase());
    await save(id, { paymentMethodId: 'pm_card_mastercard', emailProof });
    const second = await stored(id);
    expect(second.customerId).toBe(first.customerId);
    expect(second.cardId).not.toBe(first.cardId);
    expect(second.data['paymentMethodId']).toBe('pm_card_mastercard');
    await eventually(async () => (await profileOf(emrPatientId))?.['paymentMethodId'] === second.cardId);
  });

  test('400: another card than the first, without a proof of its address; the first one stays', async () => {
    const { id } = await newSubmission();
    await save(id);
    const first = await stored(id);
    for (const emailProof of [undefined, '', 'forged', await proofOf(dev, freshAddress())]) {
      const { status, body, headers } = await save(id, { paymentMethodId: 'pm_card_mastercard', emailProof });
      expect([status, body]).toEqual([400, { error: 'Email is not verified' }]);
      expect(headers.get('error-code')).toBe('email_not_verified');
    }
    expect(await stored(id)).toEqual(first);
    // The same card again is no other one, by either of its names.
    expect((await save(id)).status).toBe(200);
    expect((await save(id, { paymentMethodId: first.cardId })).status).toBe(200);
  });

  test('400 for all cards but one of four that come at once without a proof', async () => {
    const { id } = await newSubmission();
    const cards = ['visa', 'mastercard', 'chargeCustomerFail', 'authenticationRequired'];
    const answers = await Promise.all(cards.map((card) => save(id, { paymentMethodId: `pm_card_${card}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  test('200: an event that arrives late does not bring an older card back', async () => {
    const { id, emrPatientId } = await newSubmission();
    await save(id);
    const profile = await eventually(() => profileOf(emrPatientId));
    const older = {
      customerId: 'cus_old',
      paymentMethodId: 'pm_old',
      couponId: null,
      amountCents: 1,
      currency: 'usd',
      intakeType: null,
    };
    await putPaymentProfile(sql, emrPatientId, older, new Date(Date.now() - 60_000));
    expect(await profileOf(emrPatientId)).toEqual(profile);
  });

  test('200: the card of an intake still pending_emr follows once its patient exists', async () => {
    const { id } = await newSubmission({ emrPatientId: null });
    expect((await save(id)).status).toBe(200);
    expect(await eventsOf(id)).toEqual([]);

    const patient = await newPatient(dev, 'WA');
    await sql.begin(async (sql) => {
      await sql`
        update intake.submission set emr_patient_id = ${patient.id}, status = 'submitted' where id = ${id}
      `;
      await publishPaymentProfile(sql, id);
    });
    const { cardId } = await stored(id);
    await eventually(async () => (await profileOf(patient.id))?.['paymentMethodId'] === cardId);
  });

  test('200: a card that its own session saved for a customer stays with that customer', async () => {
    const { id } = await newSubmission();
    const email = freshAddress();
    const customer = await stripe(dev, 'customers', { email });
    const { body } = await visit<{ setupIntentId: string }>(dev, '/payment-intent', {
      customerId: customer.id,
      emailProof: await proofOf(dev, email),
    });
    const setup = (await stripe(dev, `setup_intents/${body.setupIntentId}/confirm`, {
      payment_method: 'pm_card_visa',
    })) as unknown as { payment_method: string };
    const card = { paymentMethodId: setup.payment_method, setupIntentId: body.setupIntentId };
    expect((await save(id, card)).status).toBe(200);
    expect(await stored(id)).toMatchObject({ customerId: customer.id, cardId: setup.payment_method });
  });

  test.each([
    ['a card that the bank refuses', () => Promise.resolve('pm_card_chargeDeclined')],
    ['a card that the processor does not know', () => Promise.resolve('pm_unknown')],
    ['a text that leads elsewhere', () => Promise.resolve('../customers')],
    [
      "another customer's card, of which only the id is known",
      async () => {
        const { id } = await stripe(dev, 'customers', { email: freshAddress() });
        return (await stripe(dev, 'payment_methods/pm_card_visa/attach', { customer: id })).id;
      },
    ],
  ])('500: %s, and nothing is stored', async (_name, card) => {
    const { id, body } = await newSubmission();
    const answer = await save(id, { paymentMethodId: await card() });
    expect([answer.status, answer.body]).toEqual([500, { error: 'Failed to save payment info' }]);
    expect(await stored(id)).toEqual({ body, data: parsed(body), customerId: null, cardId: null });
    expect(await eventsOf(id)).toEqual([]);
  });

  test('500: a refused card leaves the one saved before', async () => {
    const { id, email } = await newSubmission();
    await save(id);
    const before = await stored(id);
    const declined = { paymentMethodId: 'pm_card_chargeDeclined', emailProof: await proofOf(dev, email) };
    expect((await save(id, declined)).status).toBe(500);
    expect(await stored(id)).toEqual(before);
  });

  test('500: a processor that cannot be reached', async () => {
    const { id } = await newSubmission();
    const request = { submissionId: id, paymentMethodId: 'pm_card_visa' };
    const { status, body } = await visit(cutOff.dev, '/save-payment-info', request);
    expect([status, body]).toEqual([500, { error: 'Failed to save payment info' }]);
  });

  test.each([[randomUUID()], ['no-uuid'], ['1']])('404: a submission called %s', async (id) => {
    const { status, body } = await save(id);
    expect([status, body]).toEqual([404, { error: 'Submission not found' }]);
  });

  test.each([
    [{}],
    [{ submissionId: randomUUID() }],
    [{ paymentMethodId: 'pm_card_visa' }],
    [{ submissionId: '', paymentMethodId: '' }],
    [{ submissionId: randomUUID(), paymentMethodId: ' ' }],
    [{ submissionId: 7, paymentMethodId: 'pm_card_visa' }],
    [{ submissionId: randomUUID(), paymentMethodId: null }],
  ])('400: submissionId and paymentMethodId are required, for %j', async (request) => {
    const { status, body } = await visit(dev, '/save-payment-info', request);
    expect([status, body]).toEqual([400, { error: 'submissionId and paymentMethodId are required' }]);
  });

  test('400: Validation failed, for a session id that is no text', async () => {
    const { status, body } = await save(randomUUID(), { setupIntentId: 7 });
    expect([status, body]).toMatchObject([
      400,
      { error: 'Validation failed', details: { fieldErrors: { setupIntentId: [expect.anything()] } } },
    ]);
  });
});
