import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Patient } from 'fhir/r4.js';
import { createSql, type Sql } from '../../../../db/client.js';
import { findNewestContact } from '../../../../db/intake/contacts.js';
import { findPaymentProfile } from '../../../../db/orchestrator/payment-profiles.js';
import { adminToken, eventually, mailboxOf, receivedBy, shared } from '../../../helpers/client.js';
import { newPatient } from '../../../helpers/patients.js';
import { approve, chargesOf, ordersOf, semaglutideFor } from '../../orchestrator/approvals.js';
import {
  emrPatients,
  freshEmail,
  handedIn,
  newIntake,
  planToken,
  postIntake,
  storedSubmission,
} from '../intakes.js';
import { ownIntake, proofOf, visit } from '../visitors.js';

const dev = shared();
let sql: Sql;
let root: string;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
  root = await adminToken(dev);
});
afterAll(() => sql.end());

const her = { firstName: 'Vera', lastName: 'Núñez-Ortiz', dob: '03-12-1984', state: 'WA' };
const herAddress = { line1: '18 Larch Lane', city: 'Sampleton', state: 'WA', zip: '98101' };
const stranger = { firstName: 'Mallory', lastName: 'Stranger', dob: '07-01-1990', state: 'WA' };
const strangersAddress = { line1: '666 Elsewhere Street', city: 'Otherton', state: 'WA', zip: '98402' };
const theirs = { ...stranger, phone: '(202) 555-0166', address: strangersAddress };

/** An intake handed in, with its card. @returns the submission and its EMR patient */
async function handIn(change: Record<string, unknown>, card = 'pm_card_visa') {
  const { submissionId } = await handedIn(dev, await newIntake(dev, change));
  const saved = { submissionId, paymentMethodId: card, emailProof: change['emailProof'] };
  expect((await visit(dev, '/save-payment-info', saved)).status).toBe(200);
  return { submissionId, emrPatientId: await patientOf(submissionId) };
}

/** The EMR patient of an intake, at the first attempt or, where the machine is busy, at a later one. */
const patientOf = (submissionId: string): Promise<string> =>
  eventually(async () => (await storedSubmission(dev, root, submissionId)).emr_patient_id ?? undefined);

/** She proves her mailbox, hands in her intake and saves her card; the orchestrator has received the event. */
async function handInHers(email: string, change: Record<string, unknown> = {}, card?: string) {
  const emailProof = await proofOf(dev, email);
  const own = await handIn({ ...her, email, address: herAddress, emailProof, ...change }, card);
  await eventually(
    async () => (await profileOf(own.emrPatientId))?.customerId === (await cardOf(own)).customerId,
  );
  return own;
}

/** Each event of an intake is published with its change. */
const allDelivered = (submissionId: string) =>
  eventually(async () => {
    const open = await sql`
      select from intake.event_delivery where aggregate_id = ${submissionId} and state <> 'delivered'
    `;
    return open.length === 0;
  });

const profileOf = (emrPatientId: string) => findPaymentProfile(sql, emrPatientId);

async function cardOf({ submissionId }: { submissionId: string }) {
  const [row] = await sql<{ customerId: string; cardId: string }[]>`
    select customer_id, card_id from intake.submission where id = ${submissionId}
  `;
  if (!row) throw new Error('no such submission');
  return row;
}

/** An approval, as the pharmacy and the processor have it in their books. */
async function booksAfterApproving(emrPatientId: string) {
  const approval = semaglutideFor(emrPatientId);
  const { status, body } = await approve(dev, approval);
  expect([status, body.result.warnings]).toEqual([200, []]);
  const [order, ...more] = await ordersOf(dev, approval.taskId);
  expect(more).toEqual([]);
  return { order: JSON.stringify(order?.body), charges: await chargesOf(dev, approval.taskId) };
}

const workItemsOf = (submissionId: string) => sql`
  select kind, reason, refers_to, organization_id, state, answers,
    extract(epoch from due_at - opened_at)::int / 3600 as hours
  from intake.work_item
  where refers_to ->> 'intakeId' = ${submissionId}
`;
const mismatch = (
  intakeId: string,
  emrPatientId: string,
  otherEmrPatientId: string,
  reason = 'other_person',
) => ({
  kind: 'identity_mismatch',
  reason,
  refersTo: { intakeId, emrPatientId, otherEmrPatientId },
  organizationId: null,
  state: 'open',
  answers: ['settle', 'dismiss'],
  hours: 24,
});

async function emrPatient(email: string, id: string): Promise<Patient | undefined> {
  return (await emrPatients(dev, email)).find((patient) => patient.id === id);
}
const reachedAt = (address: typeof herAddress, phone: string) => ({
  telecom: expect.arrayContaining([expect.objectContaining({ system: 'phone', value: phone })]),
  address: [{ use: 'home', line: [address.line1], city: address.city, state: 'WA', postalCode: address.zip }],
});

describe('a stranger who hands in an intake under her address', () => {
  test('before her gets none of her orders, and she pays none of theirs', async () => {
    const email = freshEmail();
    const before = await handIn({ ...theirs, email }, 'pm_card_mastercard');
    const own = await handInHers(email);
    expect(own.emrPatientId).not.toBe(before.emrPatientId);
    expect([...(await workItemsOf(own.submissionId))]).toEqual([
      mismatch(own.submissionId, own.emrPatientId, before.emrPatientId),
    ]);
    expect([...(await workItemsOf(before.submissionId))]).toEqual([]);

    const { order, charges } = await booksAfterApproving(own.emrPatientId);
    expect(order).toContain(her.lastName);
    expect(order).toContain(herAddress.line1);
    for (const text of [stranger.lastName, strangersAddress.line1, '0166']) expect(order).not.toContain(text);
    const { customerId } = await cardOf(own);
    expect(charges).toMatchObject([{ customer: customerId, amountCents: 29_900 }]);
  });

  test('after her changes neither where her orders go nor what she pays with and how much', async () => {
    const email = freshEmail();
    const own = await handInHers(email);
    const cheaper = {
      intakeType: 'micro',
      planToken: await planToken(dev, 'micro'),
      couponCode: 'WELCOME25',
    };
    const after = await handIn(
      { ...theirs, ...cheaper, email: email.toUpperCase() },
      'pm_card_chargeCustomerFail',
    );
    expect(after.emrPatientId).not.toBe(own.emrPatientId);
    expect([...(await workItemsOf(after.submissionId))]).toEqual([
      mismatch(after.submissionId, after.emrPatientId, own.emrPatientId),
    ]);
    // And one who knows her name and birth date, but cannot read her mail.
    const knowing = { ...cheaper, ...her, email, phone: theirs.phone, address: strangersAddress };
    const joined = await handIn({ ...knowing, emailProof: 'forged' }, 'pm_card_chargeCustomerFail');
    expect(joined.emrPatientId).toBe(own.emrPatientId);
    await allDelivered(joined.submissionId);

    const { order, charges } = await booksAfterApproving(own.emrPatientId);
    expect(order).toContain(her.lastName);
    expect(order).toContain(herAddress.line1);
    for (const text of [stranger.lastName, strangersAddress.line1, '0166']) expect(order).not.toContain(text);
    const { customerId } = await cardOf(own);
    expect(charges).toMatchObject([{ customer: customerId, amountCents: 29_900 }]);
    expect(await receivedBy(dev, email)).not.toContainEqual(
      expect.objectContaining({ subject: 'Your payment method was updated' }),
    );
  });
});

describe('a later intake of hers', () => {
  test('with a proof brings the newer address, phone and card, which no repeat without one takes back; she is told once', async () => {
    const email = freshEmail();
    const first = await handInHers(email);
    const moved = { line1: '5 New Road', city: 'Otherton', state: 'WA', zip: '98402' };
    const change = { lastName: 'NUNEZ ORTIZ', phone: '(202) 555-0123', address: moved };
    const second = await handInHers(email, change, 'pm_card_mastercard');
    expect(second.emrPatientId).toBe(first.emrPatientId);
    const patient = await eventually(async () => {
      const found = await emrPatient(email, first.emrPatientId);
      return found?.address?.[0]?.city === 'Otherton' && found;
    });
    // Its other fields are unchanged.
    expect(patient).toMatchObject({ ...reachedAt(moved, '2025550123'), name: [{ family: her.lastName }] });
    expect([...(await workItemsOf(second.submissionId))]).toEqual([]);

    for (const [{ submissionId }, paymentMethodId] of [
      [first, 'pm_card_visa'],
      [second, 'pm_card_mastercard'],
    ] as const) {
      const again = { submissionId, paymentMethodId };
      expect((await visit(dev, '/save-payment-info', again)).status).toBe(200);
      await allDelivered(submissionId);
    }
    const told = await eventually(async () => {
      const mails = await mailboxOf<{ subject: string }>(dev, email);
      const about = mails.filter(({ subject }) => subject === 'Your payment method was updated');
      return about.length > 0 && about;
    });
    expect(told).toHaveLength(1);
    const { order, charges } = await booksAfterApproving(first.emrPatientId);
    expect(order).toContain(moved.line1);
    expect(charges).toMatchObject([{ customer: (await cardOf(second)).customerId }]);
    // The first one's contact data, should it be written late, is not the newest any more.
    expect(await findNewestContact(sql, first.submissionId)).toBeUndefined();
    expect(await findNewestContact(sql, second.submissionId)).toMatchObject({
      emrPatientId: first.emrPatientId,
    });
  });

  test('takes the place of a card that came without a proof, and is not taken back by it', async () => {
    const email = freshEmail();
    const unproven = await handIn({ ...her, email, address: strangersAddress }, 'pm_card_mastercard');
    await eventually(() => profileOf(unproven.emrPatientId));
    const own = await handInHers(email);
    expect(own.emrPatientId).toBe(unproven.emrPatientId);
    const again = { submissionId: unproven.submissionId, paymentMethodId: 'pm_card_mastercard' };
    expect((await visit(dev, '/save-payment-info', again)).status).toBe(200);
    await allDelivered(unproven.submissionId);
    expect((await profileOf(own.emrPatientId))?.customerId).toBe((await cardOf(own)).customerId);
  });

  test('that proves the mailbox with its card only counts as proved from then on', async () => {
    const email = freshEmail();
    const { emrPatientId } = await handInHers(email);
    const address = { ...herAddress, line1: '7 Late Street' };
    const { body } = await postIntake(dev, await newIntake(dev, { ...her, email, address }));
    const { submissionId } = body;
    const emailProof = await proofOf(dev, email);
    await visit(dev, '/save-payment-info', { submissionId, paymentMethodId: 'pm_card_visa', emailProof });
    await eventually(async () => {
      const patient = await emrPatient(email, emrPatientId);
      return patient?.address?.[0]?.line?.[0] === '7 Late Street';
    });
  });
});

describe('an intake', () => {
  test.each<[string, (complete: Patient) => Patient]>([
    ['a birth date', ({ birthDate: _birthDate, ...patient }) => patient],
    ['a whole birth date', (patient) => ({ ...patient, birthDate: '1984-03' })],
    ['a family name', (patient) => ({ ...patient, name: [{ text: 'Ada Test', given: ['Ada'] }] })],
  ])('does not join an EMR patient without %s', async (_what, change) => {
    const { id, email, name } = await newPatient(dev, 'WA', change);
    const intake = await newIntake(dev, { email, lastName: name.split(' ')[1], dob: '03-12-1984' });
    const { submissionId } = (await postIntake(dev, intake)).body;
    const ownId = await patientOf(submissionId);
    expect(ownId).not.toBe(id);
    expect([...(await workItemsOf(submissionId))]).toEqual([
      mismatch(submissionId, ownId, id, 'record_incomplete'),
    ]);
  });

  test('gets a patient of its own beside those of others that come at the same time, with one work item for two', async () => {
    const email = freshEmail();
    const people = [her, stranger].flatMap((person) => [person, person, person]);
    const answers = await Promise.all(
      people.map(async (person) => postIntake(dev, await newIntake(dev, { ...person, email }))),
    );
    const ids = await Promise.all(answers.map(({ body }) => patientOf(body.submissionId)));
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(new Set(ids.slice(3)).size).toBe(1);
    expect(ids[0]).not.toBe(ids[3]);
    expect(await emrPatients(dev, email)).toHaveLength(2);
    const items = await sql`
      select from intake.work_item where refers_to ->> 'emrPatientId' = any(${ids})
    `;
    expect(items).toHaveLength(1);
  });
});

describe('where a proof is required', () => {
  let strict: Awaited<ReturnType<typeof ownIntake>>;
  beforeAll(async () => {
    strict = await ownIntake(dev, { INTAKE_REQUIRE_EMAIL_PROOF: 'true' });
  });
  afterAll(() => strict.stop());

  const unproved = [400, { error: 'Email is not verified' }];

  test('400 for an intake, a session and a card without one, or with that of another address', async () => {
    const email = freshEmail();
    const [own, anothers] = [await proofOf(dev, email), await proofOf(dev, freshEmail())];
    const intake = await newIntake(dev, { email: email.toUpperCase() });
    const submit = (emailProof?: string) => postIntake(strict.dev, { ...intake, emailProof });
    const open = (emailProof?: string) => visit(strict.dev, '/payment-intent', { emailProof });

    for (const wrong of [undefined, '', 'forged', `${own}x`, intake.planToken, anothers]) {
      const { status, body } = await submit(wrong);
      expect([status, body]).toEqual(unproved);
    }
    const { status, body } = await submit(own);
    expect(status).toBe(200);
    for (const wrong of [undefined, '', 'forged']) {
      const answer = await open(wrong);
      expect([answer.status, answer.body]).toEqual(unproved);
    }
    expect((await open(own)).status).toBe(200);
    const save = (emailProof?: string) =>
      visit(strict.dev, '/save-payment-info', {
        submissionId: body.submissionId,
        paymentMethodId: 'pm_card_visa',
        emailProof,
      });
    for (const wrong of [undefined, '', 'forged', anothers]) {
      const answer = await save(wrong);
      expect([answer.status, answer.body]).toEqual(unproved);
    }
    expect((await save(own)).status).toBe(200);
  });

  test('400 for what the page refuses first, whether proved or not', async () => {
    const { body } = await postIntake(strict.dev, await newIntake(dev, { state: 'TX' }));
    expect(body).toEqual({ error: 'Service is not available in your state' });
  });
});
