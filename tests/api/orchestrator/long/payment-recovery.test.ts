import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import { cancelDunning, findDunning } from '../../../../db/orchestrator/dunning.js';
import { findPaymentProfile } from '../../../../db/orchestrator/payment-profiles.js';
import { findPayment } from '../../../../db/orchestrator/payments.js';
import { loadSecrets } from '../../../../dev/start/secrets.js';
import { defaultStateDir } from '../../../../dev/dev-json.js';
import { issuePaymentLink } from '../../../../platform/crypto/payment-link.js';
import { rx } from '../../../cli/rx.js';
import { setFault } from '../../../faults/faults.js';
import { call, eventually, freshTask, patientIn, sandbox, shared } from '../../../helpers/client.js';
import { newPatient, saveCard, stripe } from '../../../helpers/patients.js';
import { openTemporal, type TemporalView } from '../../../helpers/temporal-view.js';
import { patientOfIntake } from '../../intake/paying.js';
import { mailsTo, visit } from '../../intake/visitors.js';
import { approve, callsTo, chargesOf, runsOf, semaglutideFor } from '../approvals.js';
import { attemptsAt, open, pay, unpaid } from '../payment-links.js';
import { postStripe, stripeEvent } from '../stripe-webhooks.js';

const dev = shared();
/** The price of semaglutide in cents. */
const listPrice = 29_900;
const { paymentLinkSecret: linkSecret } = loadSecrets(defaultStateDir());

let sql: Sql;
let temporal: TemporalView;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
  temporal = await openTemporal(dev);
});
afterAll(async () => {
  await sql.end();
  await temporal.close();
});

const isOpen = async (workflowId: string): Promise<boolean> =>
  (await temporal.statusOf(workflowId)) === 'RUNNING';

const stateOf = async (taskId: string) => (await findDunning(sql, taskId))?.state;

describe('a charge that has failed', () => {
  test('is told of at once with a link, on whose page another card pays it; the run keeps its warning and says when', async () => {
    const { taskId, patient, token } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
    const [mail] = await mailsTo(dev, patient.email);
    expect(mail?.text).toContain('$299.00');

    const page = await open(token);
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html).toContain('299.00');
    expect(html.toLowerCase()).not.toMatch(/semaglutide|prescription|glp/);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'sha256-/);

    expect((await runsOf(dev, taskId))[0]).not.toHaveProperty('paidAt');
    const { status, body } = await pay(token, { paymentMethodId: 'pm_card_visa' });
    expect([status, body]).toEqual([200, { paid: true, status: 'succeeded' }]);
    expect(await chargesOf(dev, taskId)).toMatchObject([
      { amountCents: listPrice, metadata: { charge_key: `charge:${taskId}:2` } },
    ]);
    expect((await runsOf(dev, taskId))[0]).toMatchObject({
      warnings: ['payment_failed'],
      status: 'completed',
      paidAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });

    const again = await pay(token, { paymentMethodId: 'pm_card_mastercard' });
    expect([again.status, again.body]).toEqual([409, { error: 'Nothing is owed' }]);
    expect(await (await open(token)).text()).toContain('Nothing is owed');
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
    await eventually(async () => !(await isOpen(`payment-recovery:${taskId}`)));
    expect(await stateOf(taskId)).toBe('paid');
  });

  test('is charged once when its link is used many times at once', async () => {
    const { taskId, token } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => pay(token, { paymentMethodId: 'pm_card_visa' })),
    );
    for (const { status, body } of answers)
      expect([[200, 409].includes(status), body.paid !== false || body.status !== 'failed']).toEqual([
        true,
        true,
      ]);
    expect(answers.some(({ body }) => body.paid === true)).toBe(true);
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
  });

  test('is not charged again with a card that was declined for good; one that declines too leaves it owed', async () => {
    const { taskId, token } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
    const failed = [200, { paid: false, status: 'failed' }];
    const bare = await pay(token);
    expect([bare.status, bare.body]).toEqual(failed);
    expect(await attemptsAt(taskId)).toEqual([`charge:${taskId}:1`]);
    for (const paymentMethodId of ['pm_card_chargeDeclined', 'pm_nobody', 'pm_card_chargeCustomerFail']) {
      const { status, body } = await pay(token, { paymentMethodId });
      expect([paymentMethodId, status, body]).toEqual([paymentMethodId, ...failed]);
    }
    expect(await attemptsAt(taskId)).toHaveLength(2);
    expect(await stateOf(taskId)).toBe('open');
  });

  test('without a card is paid with the first one', async () => {
    const { taskId, token } = await unpaid(null);
    expect(await (await open(token)).text()).toContain('299.00');
    expect((await pay(token, { paymentMethodId: 'pm_card_visa' })).body).toEqual({
      paid: true,
      status: 'succeeded',
    });
    expect(await chargesOf(dev, taskId)).toMatchObject([{ metadata: { charge_key: `charge:${taskId}:1` } }]);
  });

  test('whose coupon has ended is paid at the price without it, which the page shows', async () => {
    const { taskId, token } = await unpaid({ couponId: 'EXPIRED', amountCents: 19_900 });
    const html = await (await open(token)).text();
    expect(html).toContain('199.00');
    expect(html).toContain('coupon is no longer valid');
    expect((await pay(token)).body).toEqual({ paid: true, status: 'succeeded' });
    expect(await chargesOf(dev, taskId)).toMatchObject([{ amountCents: 19_900 }]);
  });

  test.each([
    ['does not answer', 503, 3],
    ['rejects the question', 400, 1],
  ])('keeps its coupon and is tried again where the processor %s', async (_what, status, times) => {
    const couponId = freshTask();
    await stripe(dev, 'coupons', { id: couponId, percent_off: '50', duration: 'forever' });
    const fault = { target: 'stripe', operation: 'coupons.retrieve', about: couponId, times } as const;
    await setFault(dev, { ...fault, kind: 'status', status });
    const { taskId, token } = await unpaid({ couponId });
    expect(await findPayment(sql, taskId)).toMatchObject({
      status: 'failed',
      reason: 'the charge never reached the processor',
    });
    expect(await (await open(token)).text()).not.toContain('coupon is no longer valid');
    expect((await pay(token)).body).toEqual({ paid: true, status: 'succeeded' });
    expect(await chargesOf(dev, taskId)).toMatchObject([{ amountCents: listPrice / 2 }]);
  });

  test('of a card that asks for authentication waits for the bank, then is charged', async () => {
    const { taskId, token } = await unpaid({ card: 'pm_card_authenticationRequired' });
    const { status, body } = await visit<{ setupIntentId: string }>(dev, '/pay/session', { token });
    expect(status).toBe(200);
    const { setupIntentId } = body;
    expect((await pay(token, { setupIntentId })).body).toEqual({ paid: false, status: 'failed' });
    expect(await attemptsAt(taskId)).toHaveLength(1);
    await sandbox(dev, `/stripe/setup-intents/${setupIntentId}/authenticate`, { method: 'POST', body: {} });
    expect((await pay(token, { setupIntentId })).body).toEqual({ paid: true, status: 'succeeded' });
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
  });

  test('is charged at once to a new card that is saved with proof of the mailbox', async () => {
    const { patient, saveAnother } = await patientOfIntake(
      dev,
      'pm_card_chargeCustomerFail',
      async (id) => (await findPaymentProfile(sql, id)) !== undefined,
    );
    const approval = semaglutideFor(patient);
    expect((await approve(dev, approval)).body.result.warnings).toEqual(['payment_failed']);
    await saveAnother('pm_card_visa');
    await eventually(async () => (await findPayment(sql, approval.taskId))?.status === 'succeeded');
    expect(await chargesOf(dev, approval.taskId)).toMatchObject([
      { metadata: { charge_key: `charge:${approval.taskId}:2` } },
    ]);
  });

  test('ends when an operator charges it again', async () => {
    const { taskId, patient } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
    await saveCard(dev, patient);
    const path = `/orchestrator/payments/${taskId}/retry`;
    expect((await call(dev, 'orchestrator', { method: 'POST', path })).status).toBe(200);
    expect(await stateOf(taskId)).toBe('paid');
    await eventually(async () => !(await isOpen(`payment-recovery:${taskId}`)));
  });

  test('is charged no more once its task is cancelled, whoever asks', async () => {
    const { taskId, token, patient } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
    await sql.begin((sql) => cancelDunning(sql, taskId));
    await saveCard(dev, patient);
    expect((await pay(token)).status).toBe(409);
    const path = `/orchestrator/payments/${taskId}/retry`;
    await call(dev, 'orchestrator', { method: 'POST', path });
    expect(await chargesOf(dev, taskId)).toEqual([]);
    await eventually(async () => !(await isOpen(`payment-recovery:${taskId}`)));
  });

  test('has its run again when it was terminated', async () => {
    const { taskId } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
    const id = `payment-recovery:${taskId}`;
    await temporal.client.workflow.getHandle(id).terminate();
    await sql`update orchestrator.payment_recovery set next_at = now() - interval '1 minute' where reference = ${taskId}`;
    await eventually(() => isOpen(id));
  });

  test('rx payments lists what is unpaid', async () => {
    const { taskId } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
    const { stdout, exitCode } = await rx('payments', '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ taskId, state: 'open', reason: 'generic_decline', amountCents: listPrice }),
    );
  });
});

describe('a link', () => {
  const own = (reference: string, livesMs = 600_000, secret = linkSecret) =>
    issuePaymentLink(secret, { reference, endsAt: Date.now() + livesMs });

  test.each<[string, () => Promise<string>, string]>([
    ['that is none', async () => 'nothing', 'Invalid payment link'],
    ['that somebody else signed', () => own('task', 600_000, 'x'.repeat(64)), 'Invalid payment link'],
    ['of a task that owes nothing we know of', () => own(freshTask()), 'Invalid payment link'],
    ['whose time is over', () => own('task', -2_000), 'Payment link expired'],
  ])('%s is refused, by the page and by whoever pays', async (_name, make, error) => {
    const token = await make();
    const paid = await pay(token, { paymentMethodId: 'pm_card_visa' });
    expect([paid.status, paid.body]).toEqual([400, { error }]);
    const code = error === 'Invalid payment link' ? 'payment_link_invalid' : 'payment_link_expired';
    expect(paid.headers.get('error-code')).toBe(code);
    const session = await visit(dev, '/pay/session', { token });
    expect([session.status, session.body]).toEqual([400, { error }]);
    const page = await open(token);
    expect([page.status, (await page.text()).includes(error)]).toEqual([400, true]);
    const told = await open(token, '*/*');
    expect([told.status, await told.json()]).toEqual([400, { error }]);
  });

  test('that is left out or malformed is refused', async () => {
    const page = await fetch(`${dev.services.intake}/pay`, { headers: { accept: 'text/html' } });
    expect([page.status, (await page.text()).includes('Invalid payment link')]).toEqual([400, true]);
    for (const body of [{}, { token: 7 }, { token: 'a', paymentMethodId: '' }])
      expect((await visit(dev, '/pay', body)).status).toBe(400);
  });
});

describe("the processor's webhooks", () => {
  interface Told {
    status: number;
    body: { ok?: boolean; error?: string };
  }
  const tell = (type: string, id: string) =>
    sandbox<Told>(dev, '/stripe/events', { method: 'POST', body: { type, id } });
  const paid = async () => {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient);
    const { taskId } = semaglutideFor(patient.id);
    await approve(dev, { ...semaglutideFor(patient.id), taskId });
    const { charges } = await sandbox<{
      charges: { id: string; paymentIntent: string; metadata: Record<string, string> }[];
    }>(dev, '/charges');
    const charge = charges.find(({ metadata }) => metadata['task_id'] === taskId)!;
    return { taskId, charge };
  };

  test('a verdict that was not recorded is taken from them, and changes nothing that is settled', async () => {
    const { taskId, charge } = await paid();
    await sql`
      update orchestrator.payment set status = 'pending', payment_intent_id = null, paid_at = null
      where task_id = ${taskId}
    `;
    expect(await tell('payment_intent.payment_failed', charge.paymentIntent)).toMatchObject({ status: 200 });
    expect((await findPayment(sql, taskId))?.status).toBe('pending');
    expect(await tell('payment_intent.succeeded', charge.paymentIntent)).toEqual({
      status: 200,
      body: { ok: true },
    });
    const settled = await findPayment(sql, taskId);
    expect(settled).toMatchObject({ status: 'succeeded', paymentIntentId: charge.paymentIntent });
    await tell('payment_intent.payment_failed', charge.paymentIntent);
    await tell('payment_intent.succeeded', charge.paymentIntent);
    expect(await findPayment(sql, taskId)).toEqual(settled);
  });

  test('a decline that was not recorded begins what gets it paid', async () => {
    const { taskId } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
    const declined = await findPayment(sql, taskId);
    await sql`
      update orchestrator.payment set status = 'pending', payment_intent_id = null, reason = null
      where task_id = ${taskId}
    `;
    await tell('payment_intent.payment_failed', declined!.paymentIntentId!);
    expect(await findPayment(sql, taskId)).toEqual(declined);
  });

  test('a refund made there is recorded, and the payment stays succeeded', async () => {
    const { taskId, charge } = await paid();
    await stripe(dev, 'refunds', { charge: charge.id, amount: '5000' });
    expect(await tell('charge.refunded', charge.id)).toMatchObject({ status: 200 });
    await stripe(dev, 'refunds', { charge: charge.id });
    await tell('charge.refunded', charge.id);
    const [payment] = await sql`
      select status, refunded_cents from orchestrator.payment where task_id = ${taskId}
    `;
    expect(payment).toEqual({ status: 'succeeded', refundedCents: listPrice });
  });

  test('a dispute is a work item, also while the charge is not recorded', async () => {
    const [known, lost] = [await paid(), await paid()];
    await sql`
      update orchestrator.payment set status = 'pending', payment_intent_id = null where task_id = ${lost.taskId}
    `;
    for (const { taskId, charge } of [known, lost]) {
      expect(await tell('charge.dispute.created', charge.id)).toMatchObject({ status: 200 });
      const items = await sql`
        select kind, reason, state from orchestrator.work_item where refers_to ->> 'taskId' = ${taskId}
      `;
      expect([...items]).toEqual([{ kind: 'charge_disputed', reason: 'fraudulent', state: 'open' }]);
    }
  });

  const post = (event: object | string, at = Date.now(), secret = dev.webhookSecrets.stripe) =>
    postStripe(dev, event, { at, secret });
  const event = (id: string, type: string, object: object) => ({ ...stripeEvent(type, object), id });

  test('200 and nothing for other types, and for charges that are not ours; each event once', async () => {
    const took = [200, { ok: true }];
    const { taskId, charge } = await paid();
    const refunded = (cents: number) =>
      event(`evt_${taskId}`, 'charge.refunded', {
        ...charge,
        payment_intent: charge.paymentIntent,
        amount_refunded: cents,
      });
    expect(await post(event(freshTask(), 'customer.created', {}))).toEqual(took);
    const stranger = { id: 'pi_none', status: 'succeeded', amount: 100, metadata: {} };
    expect(await post(event(freshTask(), 'payment_intent.succeeded', stranger))).toEqual(took);
    const dispute = { id: 'dp_none', charge: 'ch_none', payment_intent: 'pi_none', reason: 'fraudulent' };
    expect(await post(event(freshTask(), 'charge.dispute.created', dispute))).toEqual(took);
    expect(await post(refunded(100))).toEqual(took);
    expect(await post(refunded(200))).toEqual(took);
    const [payment] = await sql`select refunded_cents from orchestrator.payment where task_id = ${taskId}`;
    expect(payment).toEqual({ refundedCents: 100 });
  });

  test('400 for what the processor did not sign within five minutes, or is no JSON', async () => {
    const wrong = [400, { error: 'Invalid signature' }];
    const other = event(freshTask(), 'customer.created', {});
    expect(await post(other, Date.now() - 6 * 60_000)).toEqual(wrong);
    expect(await post(other, Date.now(), 'x'.repeat(64))).toEqual(wrong);
    const bare = await fetch(`${dev.services.orchestrator}/orchestrator/webhooks/stripe`, {
      method: 'POST',
      body: '{}',
    });
    expect([bare.status, await bare.json()]).toEqual(wrong);
    expect(await post('{')).toEqual([400, { error: 'Malformed webhook' }]);
  });
});

test('nothing is begun for a charge that succeeds', async () => {
  const approval = semaglutideFor(patientIn(dev, 'WA'));
  await approve(dev, approval);
  expect(await findDunning(sql, approval.taskId)).toBeUndefined();
  expect((await callsTo(dev, 'stripe')).length).toBeGreaterThan(0);
});
