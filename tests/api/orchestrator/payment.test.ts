import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { openCharge } from '../../../activities/orchestrator/open-charge.js';
import { lockCoupon } from '../../../db/coupon-redemptions.js';
import { findDunning } from '../../../db/orchestrator/dunning.js';
import { findPayment, type Payment } from '../../../db/orchestrator/payments.js';
import { sha256 } from '../../../platform/crypto/ids.js';
import { eventually, freshTask, patientIn, shared } from '../../helpers/client.js';
import { setFault } from '../../faults/faults.js';
import { allSteps, approve, callsTo, chargesOf, ordersOf, semaglutideFor } from './approvals.js';
import { newPatient, saveCard, stripe } from '../../helpers/patients.js';
import { openTemporal, type TemporalView } from '../../helpers/temporal-view.js';

const dev = shared();
/** The price of semaglutide in cents. */
const listPrice = 29_900;

let sql: Sql;
let temporal: TemporalView;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 4 });
  temporal = await openTemporal(dev);
  await newCoupon({ id: 'PRODUCTS', percent_off: '10', 'applies_to[products][0]': 'prod_1' });
});
afterAll(async () => {
  await sql.end();
  await temporal.close();
});

type Agreed = Parameters<typeof saveCard>[2];
interface Paid {
  taskId: string;
  warnings: string[];
  /** The charged amount at the processor, in cents. */
  taken: number[];
  state: Pick<Payment, 'status' | 'amountCents' | 'reason' | 'couponId' | 'paymentIntentId'> | undefined;
}

/** Approves a medication for a patient, whose pharmacy order must stand whatever becomes of the payment. */
async function payFor(emrPatientId: string, medication = 'semaglutide'): Promise<Paid> {
  const approval = { ...semaglutideFor(emrPatientId), medication };
  const { status, body } = await approve(dev, approval);
  expect([status, body.result.completedSteps]).toEqual([200, allSteps]);
  expect(await ordersOf(dev, approval.taskId)).toHaveLength(1);
  const [state] = await sql<NonNullable<Paid['state']>[]>`
    select status, amount_cents, reason, coupon_id, payment_intent_id
    from orchestrator.payment
    where task_id = ${approval.taskId}
  `;
  const taken = (await chargesOf(dev, approval.taskId)).map(({ amountCents }) => amountCents);
  return { taskId: approval.taskId, warnings: body.result.warnings, taken, state };
}
async function newPayer(agreed?: Agreed): Promise<string> {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient, agreed);
  return patient.id;
}
async function newCoupon(terms: Record<string, string>): Promise<string> {
  return (await stripe(dev, 'coupons', { id: freshTask(), ...terms })).id;
}

describe('the amount', () => {
  test.each<[string, Agreed, number]>([
    ['the list price', {}, listPrice],
    ['the plan price saved with the card', { amountCents: 12_300 }, 12_300],
    ['a quarter less with WELCOME25', { couponId: 'WELCOME25' }, 22_425],
    ['ten dollars less with TENOFF', { couponId: 'TENOFF' }, 28_900],
    ['the plan price less the coupon', { amountCents: 9_999, couponId: 'WELCOME25' }, 7_499],
  ])('is %s', async (_name, agreed, amountCents) => {
    const { warnings, taken, state } = await payFor(await newPayer(agreed));
    expect([warnings, taken]).toEqual([[], [amountCents]]);
    expect(state).toMatchObject({ status: 'succeeded', amountCents, couponId: agreed?.couponId ?? null });
    expect(state?.paymentIntentId).toMatch(/^pi_/);
  });

  test.each<[string, Record<string, string>]>([
    ['100 percent', { percent_off: '100' }],
    ['more than the price', { amount_off: '99900', currency: 'usd' }],
  ])('is nothing with a coupon of %s: the step succeeds without a charge', async (_name, terms) => {
    const couponId = await newCoupon({ ...terms, duration: 'forever' });
    const { warnings, taken, state } = await payFor(await newPayer({ couponId }));
    expect([warnings, taken]).toEqual([[], []]);
    expect(state).toMatchObject({ status: 'succeeded', amountCents: 0 });
  });

  test.each<[string, Record<string, string>]>([
    ['29,880 cents off', { amount_off: '29880', currency: 'usd' }],
    ['99.99 percent off', { percent_off: '99.99' }],
    ['49 cents left', { amount_off: '29851', currency: 'usd' }],
  ])('below the least that a card can pay is nothing, and the coupon counts: %s', async (_name, terms) => {
    const couponId = await newCoupon({ ...terms, duration: 'forever', max_redemptions: '1' });
    const payer = await newPayer({ couponId });
    const { warnings, taken, state, taskId } = await payFor(payer);
    expect([warnings, taken]).toEqual([[], []]);
    expect(state).toMatchObject({ status: 'succeeded', amountCents: 0, couponId, paymentIntentId: null });
    const redeemed = await sql`select task_id from coupons.redemption where coupon_id = ${couponId}`;
    expect([...redeemed]).toEqual([{ taskId }]);
    expect(await findDunning(sql, taskId)).toBeUndefined();
  });

  test('below it needs no card either', async () => {
    const [taskId, price] = [freshTask(), { emrPatientId: randomUUID(), priceCents: 49 }];
    expect(await openCharge(sql, { taskId, ...price })).toEqual({ kind: 'nothing' });
    expect(await findPayment(sql, taskId)).toMatchObject({ status: 'succeeded', amountCents: 0 });
  });

  test('of 50 cents is charged', async () => {
    const couponId = await newCoupon({ amount_off: '29850', currency: 'usd', duration: 'forever' });
    expect((await payFor(await newPayer({ couponId }))).taken).toEqual([50]);
  });

  test.each<[string, string, number]>([
    ['semaglutide', 'glp-1', 12_300],
    ['tirzepatide', 'glp-1', 12_300],
    ['semaglutide', 'micro', 12_300],
    ['nad', 'nad', 12_300],
    ['tirzepatide', 'micro', 39_900],
    ['semaglutide', 'nad', listPrice],
    ['nad', 'glp-1', 19_900],
  ])('of %s on a plan for %s is %i cents', async (medication, intakeType, amountCents) => {
    const payer = await newPayer({ amountCents: 12_300, intakeType });
    expect((await payFor(payer, medication)).taken).toEqual([amountCents]);
  });

  test('is the full price where the coupon is an amount in another currency', async () => {
    const couponId = await newCoupon({ amount_off: '20000', currency: 'jpy', duration: 'forever' });
    const { warnings, taken, state } = await payFor(await newPayer({ couponId }));
    expect([warnings, taken, state?.couponId]).toEqual([[], [listPrice], null]);
  });

  test('a coupon of duration once counts for the first charge only', async () => {
    const payer = await newPayer({ couponId: await newCoupon({ percent_off: '50', duration: 'once' }) });
    expect((await payFor(payer)).taken).toEqual([14_950]);
    expect((await payFor(payer)).taken).toEqual([listPrice]);
  });

  test('a coupon of duration once is not used up by a charge that was declined', async () => {
    const couponId = await newCoupon({ percent_off: '50', duration: 'once' });
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient, { couponId, card: 'pm_card_chargeCustomerFail' });
    expect((await payFor(patient.id)).taken).toEqual([]);
    await saveCard(dev, patient, { couponId });
    expect((await payFor(patient.id)).taken).toEqual([14_950]);
  });
});

describe('a coupon for so many patients', () => {
  const lastOne = { percent_off: '50', duration: 'forever', max_redemptions: '1' };
  const half = listPrice / 2;

  /** Does something while nobody gets at the coupon until so many charges wait for it, so that they come at once. */
  async function linedUp<T>(couponId: string, charges: number, work: () => Promise<T>): Promise<T> {
    let done: Promise<T> | undefined;
    await sql.begin(async (held) => {
      await lockCoupon(held, couponId);
      done = work();
      await eventually(async () => {
        const [waiting] = await held<{ count: number }[]>`
          select count(*)::int as count
          from pg_locks waiting
          join pg_locks held using (locktype, database, classid, objid)
          where held.pid = pg_backend_pid() and locktype = 'advisory' and held.granted and not waiting.granted
        `;
        return waiting?.count === charges;
      });
    });
    return done!;
  }

  test('goes to one of three who are charged for its last redemption at once; the others are charged nothing', async () => {
    const couponId = await newCoupon(lastOne);
    const payers = await Promise.all([1, 2, 3].map(() => newPayer({ couponId })));
    const paid = await linedUp(couponId, 3, () => Promise.all(payers.map((payer) => payFor(payer))));
    const charged = paid.map(({ taken, warnings }) => [taken, warnings]);
    expect(charged).toHaveLength(3);
    expect(charged.filter(([taken]) => taken?.length === 1)).toEqual([[[half], []]]);
    expect(charged.filter(([taken]) => taken?.length === 0)).toEqual(Array(2).fill([[], ['payment_failed']]));
    for (const { state } of paid.filter(({ taken }) => taken.length === 0))
      expect(state).toMatchObject({ status: 'failed', reason: 'coupon no longer valid' });
  });

  test('is redeemed once by a patient, for all of their charges', async () => {
    const couponId = await newCoupon(lastOne);
    const [payer, other] = [await newPayer({ couponId }), await newPayer({ couponId })];
    expect((await payFor(payer)).taken).toEqual([half]);
    expect((await payFor(payer)).taken).toEqual([half]);
    expect(await payFor(other)).toMatchObject({ taken: [], warnings: ['payment_failed'] });
  });

  test('comes back from a charge that was declined, for the next patient', async () => {
    const couponId = await newCoupon(lastOne);
    expect((await payFor(await newPayer({ couponId, card: 'pm_card_chargeCustomerFail' }))).taken).toEqual(
      [],
    );
    expect((await payFor(await newPayer({ couponId }))).taken).toEqual([half]);
  });

  test('counts once where it is for one charge, also for two charges of a patient at once', async () => {
    const couponId = await newCoupon({ percent_off: '50', duration: 'once' });
    const payer = await newPayer({ couponId });
    const paid = await linedUp(couponId, 2, () => Promise.all([payFor(payer), payFor(payer)]));
    expect(paid.flatMap(({ taken }) => taken).sort((a, b) => a - b)).toEqual([half, listPrice]);
  });
});

test('a task whose name no header can carry is charged once, under the hash of its key', async () => {
  const taskId = `${freshTask()} 字…`;
  const { status, body } = await approve(dev, { ...semaglutideFor(await newPayer()), taskId });
  expect([status, body.result.warnings]).toEqual([200, []]);
  const key = `charge:${taskId}:1`;
  expect(await chargesOf(dev, taskId)).toMatchObject([{ metadata: { charge_key: key } }]);
  const creates = (await callsTo(dev, 'stripe')).filter(({ body }) => JSON.stringify(body).includes(taskId));
  expect(creates.map(({ headers }) => headers['idempotency-key'])).toEqual([`sha256-${sha256(key)}`]);
});

test('A processor that answers after 3 s is called once', async () => {
  const patient = await newPatient(dev, 'WA');
  const customer = await saveCard(dev, patient);
  const create = { target: 'stripe', operation: 'paymentIntents.create' };
  await setFault(dev, { ...create, kind: 'delay', delayMs: 3_000, about: customer, times: 1 });
  const { body } = await approve(dev, semaglutideFor(patient.id));
  expect(body.result.warnings).toEqual([]);
  const calls = (await callsTo(dev, 'stripe')).filter(
    ({ path, body, operation }) =>
      operation.startsWith('paymentIntents.') && `${path} ${JSON.stringify(body)}`.includes(customer),
  );
  expect(calls).toMatchObject([{ operation: create.operation, fault: 'delay', status: 200 }]);
});

describe('payment_failed, while order, shipment and notification stand', () => {
  test.each<[string, Agreed, string, string]>([
    [
      'a declined card',
      { card: 'pm_card_chargeCustomerFail' },
      'generic_decline',
      'Card declined: generic_decline',
    ],
    [
      'a card that asks for authentication',
      { card: 'pm_card_authenticationRequired' },
      'authentication_required',
      'Card declined: authentication_required',
    ],
    [
      'a coupon that has expired',
      { couponId: 'EXPIRED' },
      'coupon no longer valid',
      'The coupon agreed on is no longer valid',
    ],
    [
      'a coupon for products of the processor',
      { couponId: 'PRODUCTS' },
      'coupon no longer valid',
      'The coupon agreed on is no longer valid',
    ],
    [
      'a coupon the processor does not know',
      { couponId: 'NEVERMADE' },
      'coupon no longer valid',
      'The coupon agreed on is no longer valid',
    ],
    [
      'an amount the processor refuses',
      { amountCents: 100_000_000 },
      'Payment processor answered 400',
      'answered 400',
    ],
  ])('%s: nothing is charged, and the reason is in the run', async (_name, agreed, reason, details) => {
    const { taskId, warnings, taken, state } = await payFor(await newPayer(agreed));
    expect([warnings, taken]).toEqual([['payment_failed'], []]);
    expect(state).toMatchObject({ status: 'failed', reason });
    expect(await temporal.detailsOf(`approval:${taskId}`)).toContain(details);
  });

  test('no saved card: the processor is not asked', async () => {
    const patient = patientIn(dev, 'OH', null);
    const { taskId, warnings, state } = await payFor(patient);
    expect(warnings).toEqual(['payment_failed']);
    expect(state).toMatchObject({ status: 'failed', reason: 'no saved card', amountCents: listPrice });
    expect(await temporal.detailsOf(`approval:${taskId}`)).toContain('The patient has no saved card');
    const calls = await callsTo(dev, 'stripe');
    expect(calls.filter(({ body }) => JSON.stringify(body).includes(taskId))).toEqual([]);
  });

  test('a decline is final: the processor is asked once', async () => {
    const { taskId } = await payFor(await newPayer({ card: 'pm_card_chargeCustomerFail' }));
    const calls = await callsTo(dev, 'stripe');
    expect(calls.filter(({ headers }) => headers['idempotency-key'] === `charge:${taskId}:1`)).toHaveLength(
      1,
    );
  });

  test('an operator finds the run by its outcome and its warning', async () => {
    const { taskId } = await payFor(patientIn(dev, 'OH', null));
    const query = `RxOutcome = "WARN" and RxWarnings = "payment_failed" and RxTask = "${taskId}"`;
    expect(await temporal.idsOf(query)).toEqual([`approval:${taskId}`]);
  });
});
