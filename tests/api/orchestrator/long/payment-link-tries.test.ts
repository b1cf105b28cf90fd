import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import { findDunning } from '../../../../db/orchestrator/dunning.js';
import { sandbox, shared } from '../../../helpers/client.js';
import { changeInEmr } from '../../../helpers/patients.js';
import { visit } from '../../intake/visitors.js';
import { chargesOf } from '../approvals.js';
import { attemptsAt, open, pay, unpaid } from '../payment-links.js';

const dev = shared();

let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
});
afterAll(() => sql.end());

const declining = { paymentMethodId: 'pm_card_chargeCustomerFail' };
const failed = { paid: false, status: 'failed' };
const tooMany = { error: 'Too many attempts' };

interface Saved {
  customerId: string;
  paymentMethodId: string;
  savedAt: Date | null;
  emailProven: boolean;
}
const savedOf = async (emrPatientId: string) => {
  const [saved] = await sql<Saved[]>`
    select customer_id, payment_method_id, saved_at, email_proven from orchestrator.payment_profile
    where emr_patient_id = ${emrPatientId}
  `;
  return saved;
};
const itemsOf = async (taskId: string) => [
  ...(await sql`select kind, reason, state from orchestrator.work_item where fact = ${taskId}`),
];
const triesOf = async (taskId: string) => {
  const [row] = await sql`
    select cardinality(tried_at) as tries from orchestrator.payment_recovery where reference = ${taskId}
  `;
  return row?.['tries'] as number;
};
/** Makes its tries so many minutes older. */
const age = (taskId: string, minutes: number) => sql`
  update orchestrator.payment_recovery set
    tried_at = array(select at - make_interval(mins => ${minutes}) from unnest(tried_at) with ordinality as t (at, n) order by n)
  where reference = ${taskId}
`;

describe('a payment link (D160)', () => {
  test('takes five tries an hour, then 429 with the time to wait and one work item, until it is paid', async () => {
    const { taskId, token } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
    for (let n = 0; n < 5; n += 1) expect((await pay(token, declining)).body).toEqual(failed);
    expect([await attemptsAt(taskId), await itemsOf(taskId)]).toMatchObject([{ length: 6 }, []]);

    for (let n = 0; n < 2; n += 1) {
      const refused = await pay(token, { paymentMethodId: 'pm_card_visa' });
      expect([refused.status, refused.body]).toEqual([429, tooMany]);
      const seconds = Number(refused.headers.get('retry-after'));
      expect([seconds > 3_400, seconds <= 3_600]).toEqual([true, true]);
    }
    expect(await attemptsAt(taskId)).toHaveLength(6);
    const item = { kind: 'payment_unpaid', reason: 'too_many_attempts' };
    expect(await itemsOf(taskId)).toEqual([{ ...item, state: 'open' }]);

    // A refusal counts as no try, and the page and a session stay.
    expect(await triesOf(taskId)).toBe(5);
    expect((await open(token)).status).toBe(200);
    expect((await visit(dev, '/pay/session', { token })).status).toBe(200);

    await age(taskId, 61);
    expect((await pay(token, { paymentMethodId: 'pm_card_visa' })).body).toEqual({
      paid: true,
      status: 'succeeded',
    });
    expect(await itemsOf(taskId)).toEqual([{ ...item, state: 'closed' }]);
  });

  test('takes fifteen tries in all; an item that a person closed is not opened by further ones', async () => {
    const { taskId, token } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
    const longAgo = Array.from({ length: 14 }, () => new Date(0).toISOString());
    await sql`
      update orchestrator.payment_recovery set tried_at = ${longAgo}::timestamptz[] where reference = ${taskId}
    `;
    const answers = await Promise.all([pay(token, declining), pay(token, declining), pay(token, declining)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    for (const { status, headers } of answers)
      if (status === 429) expect(headers.get('retry-after')).toBeNull();
    expect(await attemptsAt(taskId)).toHaveLength(2);
    expect(await itemsOf(taskId)).toMatchObject([{ reason: 'too_many_attempts', state: 'open' }]);
    await sql`
      update orchestrator.work_item set state = 'closed', answer = 'dismiss', closed_by = 'kim@example.test', closed_at = now()
      where fact = ${taskId}
    `;
    expect((await pay(token, declining)).status).toBe(429);
    expect(await itemsOf(taskId)).toMatchObject([{ state: 'closed' }]);
  });

  test('counts no reading, no session and no try that could charge nothing', async () => {
    const { taskId, token } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
    for (let n = 0; n < 7; n += 1) expect((await pay(token)).body).toEqual(failed);
    await open(token);
    await visit(dev, '/pay/session', { token });
    expect([await triesOf(taskId), await attemptsAt(taskId)]).toMatchObject([0, { length: 1 }]);

    await sql`update orchestrator.payment set status = 'pending' where task_id = ${taskId}`;
    expect((await pay(token, declining)).body).toEqual({ paid: false, status: 'pending' });
    expect(await triesOf(taskId)).toBe(0);
  });
});

describe('a card that is handed in', () => {
  test('becomes the saved card once it has paid, and not before', async () => {
    const { taskId, token, patient } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
    const saved = await savedOf(patient.id);
    for (const paymentMethodId of ['pm_card_chargeCustomerFail', 'pm_card_chargeDeclined', 'pm_nobody']) {
      expect((await pay(token, { paymentMethodId })).body).toEqual(failed);
      expect(await savedOf(patient.id)).toEqual(saved);
    }
    // The saved card was declined for good, so it is not charged again.
    expect((await pay(token)).body).toEqual(failed);
    expect(await attemptsAt(taskId)).toHaveLength(2);
    expect((await pay(token, { paymentMethodId: 'pm_card_visa' })).body).toMatchObject({ paid: true });
    const now = await savedOf(patient.id);
    expect(now).toMatchObject({ customerId: saved?.customerId, emailProven: true });
    expect(now?.paymentMethodId).not.toBe(saved?.paymentMethodId);
  });

  test('is charged although the record has no usable e-mail address and a long name', async () => {
    const { token, patient } = await unpaid(null);
    await changeInEmr(dev, patient, (record) => {
      record.name = [{ given: ['A'.repeat(300)], family: 'Test' }];
      record.telecom = [{ system: 'email', value: 'none' }];
    });
    expect((await pay(token, { paymentMethodId: 'pm_card_visa' })).body).toEqual({
      paid: true,
      status: 'succeeded',
    });
  });

  test('and is declined leaves a saved card chargeable that its bank declined for now', async () => {
    const { taskId, token, patient } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
    const saved = await savedOf(patient.id);
    await sql`
      update orchestrator.payment_recovery set declined_reason = 'insufficient_funds' where reference = ${taskId}
    `;
    expect((await pay(token, declining)).body).toEqual(failed);
    expect(await findDunning(sql, taskId)).toMatchObject({
      reason: 'generic_decline',
      savedReason: 'insufficient_funds',
      savedPaymentMethodId: saved?.paymentMethodId,
    });
    expect((await pay(token)).body).toEqual(failed);
    expect(await attemptsAt(taskId)).toHaveLength(3);
    expect(await savedOf(patient.id)).toEqual(saved);
  });

  test('and needs its bank first is charged once the bank has agreed, and saved then', async () => {
    const { taskId, token, patient } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
    const saved = await savedOf(patient.id);
    expect((await pay(token, { paymentMethodId: 'pm_card_authenticationRequired' })).body).toEqual(failed);
    expect(await savedOf(patient.id)).toEqual(saved);
    expect(await (await open(token)).text()).toContain('data-needs="authentication"');
    const { setupIntentId } = (await visit<{ setupIntentId: string }>(dev, '/pay/session', { token })).body;
    expect((await pay(token, { setupIntentId })).body).toEqual(failed);
    await sandbox(dev, `/stripe/setup-intents/${setupIntentId}/authenticate`, { method: 'POST', body: {} });
    expect((await pay(token, { setupIntentId })).body).toEqual({ paid: true, status: 'succeeded' });
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
    expect((await savedOf(patient.id))?.paymentMethodId).not.toBe(saved?.paymentMethodId);
  });
});
