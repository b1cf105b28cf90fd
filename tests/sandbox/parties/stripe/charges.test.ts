import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { startSandbox } from '../../../../sandbox/app.js';
import { readConfig } from '../../../../sandbox/config.js';
import { call, freshSettings, useSandbox } from '../../helpers.js';

/** The last webhook that the orchestrator was sent. */
let webhook: { path: string | undefined; signature: unknown; text: string };
const orchestrator = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    webhook = { path: request.url, signature: request.headers['stripe-signature'], text };
    response.end('{"received":true}');
  });
}).listen(0, '127.0.0.1');
await once(orchestrator, 'listening');
afterAll(() => {
  orchestrator.close();
});
const orchestratorUrl = `http://127.0.0.1:${(orchestrator.address() as AddressInfo).port}`;
const sandbox = useSandbox({ SANDBOX_ORCHESTRATOR_URL: orchestratorUrl });

const sdk = (url = sandbox.url()): Stripe => {
  const { hostname: host, port } = new URL(url);
  const key = sandbox.config().SANDBOX_STRIPE_SECRET_KEY;
  return new Stripe(key, { host, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
};
const saved = async (card: string) => {
  const { id: customer } = await sdk().customers.create({});
  const { id: method } = await sdk().paymentMethods.attach(card, { customer });
  return { customer, method };
};
const charge = (
  { customer, method }: { customer: string; method: string },
  options: Stripe.RequestOptions = {},
  stripe = sdk(),
) =>
  stripe.paymentIntents.create(
    { amount: 29900, currency: 'usd', customer, payment_method: method, confirm: true, off_session: true },
    options,
  );
const failure = (call: Promise<unknown>): Promise<Stripe.errors.StripeError> =>
  call.then(
    () => {
      throw new Error('the call was expected to fail');
    },
    (error: unknown) => error as Stripe.errors.StripeError,
  );
const control = (path: string, json?: object) => sandbox.call(`/_sandbox/${path}`, json && { json });
const rows = async (list: string, url = sandbox.url()) =>
  ((await call(`${url}/_sandbox/${list}`)).body as Record<string, object[]>)[list];

test('gives back a part, then the rest, and no cent more', async () => {
  const { customer, method } = await saved('pm_card_visa');
  const intent = await charge({ customer, method });
  const part = await sdk().refunds.create(
    { payment_intent: intent.id, amount: 9900, metadata: { reference: 't1' } },
    { idempotencyKey: 'refund:t1' },
  );
  expect(part).toMatchObject({ status: 'succeeded', amount: 9900, charge: intent.latest_charge });
  expect(await sdk().charges.retrieve(part.charge as string)).toMatchObject({
    amount_refunded: 9900,
    refunded: false,
  });
  expect(await failure(sdk().refunds.create({ payment_intent: intent.id, amount: 20001 }))).toMatchObject({
    statusCode: 400,
    type: 'StripeInvalidRequestError',
    param: 'amount',
  });
  const rest = await sdk().refunds.create({ charge: part.charge as string, reason: 'requested_by_customer' });
  expect(rest).toMatchObject({ amount: 20000, payment_intent: intent.id });
  expect(await failure(sdk().refunds.create({ payment_intent: intent.id }))).toMatchObject({
    statusCode: 400,
    code: 'charge_already_refunded',
  });

  const listed = await sdk().charges.list({ payment_intent: intent.id, customer });
  expect(listed.data).toMatchObject([{ id: part.charge, amount_refunded: 29900, refunded: true }]);
  expect(await sdk().refunds.retrieve(part.id)).toMatchObject({ id: part.id, metadata: { reference: 't1' } });
  expect((await sdk().refunds.list({ charge: part.charge as string })).data).toMatchObject([
    { id: rest.id },
    { id: part.id },
  ]);
  expect((await sdk().refunds.list({ payment_intent: intent.id, limit: 1 })).has_more).toBe(true);
  expect((await control('refunds?limit=2')).body).toEqual({
    refunds: [
      {
        id: rest.id,
        charge: part.charge,
        paymentIntent: intent.id,
        customer,
        amountCents: 20000,
        currency: 'usd',
        status: 'succeeded',
        // The library makes a key where it is given none.
        idempotencyKey: expect.stringMatching(/^stripe-node-retry-/),
        metadata: {},
        at: expect.any(String),
      },
      expect.objectContaining({ idempotencyKey: 'refund:t1', metadata: { reference: 't1' } }),
    ],
  });
  expect(await rows('charges')).toContainEqual(
    expect.objectContaining({ id: part.charge, paymentMethod: method, refundedCents: 29900 }),
  );
});

test('refunds once for a key, also when the first answer was lost', async () => {
  const intent = await charge(await saved('pm_card_visa'));
  const options = { idempotencyKey: randomUUID() };
  const ask = () => sdk().refunds.create({ payment_intent: intent.id }, options);
  // The library asks once more by itself when a connection is closed on it.
  await sandbox.setFault({ target: 'stripe', operation: 'refunds.create', kind: 'lost-answer', times: 2 });
  expect(await failure(ask())).toBeInstanceOf(Stripe.errors.StripeConnectionError);
  expect(await ask()).toMatchObject({ amount: 29900 });
  expect((await sdk().refunds.list({ payment_intent: intent.id })).data).toHaveLength(1);
});

test('has nothing to refund where nothing was paid', async () => {
  const { payment_intent: refused } = await failure(charge(await saved('pm_card_chargeCustomerFail')));
  for (const form of [
    { payment_intent: refused!.id },
    { charge: refused!.latest_charge as string },
    { charge: 'ch_nobody' },
    {},
  ])
    expect((await failure(sdk().refunds.create(form))).statusCode).toBe(400);
});

test('saves an expired card and declines its charge', async () => {
  const { customer, method } = await saved('pm_card_expired');
  expect((await sdk().paymentMethods.retrieve(method)).card).toMatchObject({
    exp_month: 1,
    exp_year: new Date().getFullYear() - 1,
  });
  expect(await failure(charge({ customer, method }))).toMatchObject({
    statusCode: 402,
    code: 'expired_card',
  });
});

test.each([
  ['insufficient_funds', 'card_declined'],
  ['try_again_later', 'card_declined'],
  ['expired_card', 'expired_card'],
  ['processing_error', 'processing_error'],
  ['authentication_required', 'authentication_required'],
])('the bank says %s when told to, whatever the card', async (answer, code) => {
  const who = await saved('pm_card_visa');
  expect((await control('stripe/bank', { customer: who.customer, answer })).body).toEqual({ ok: true });
  for (const _ of [1, 2])
    expect(await failure(charge(who))).toMatchObject({
      statusCode: 402,
      rawType: 'card_error',
      code,
      decline_code: answer,
      message: expect.any(String),
    });
  expect(await sdk().paymentMethods.attach('pm_card_mastercard', { customer: who.customer })).toMatchObject({
    customer: who.customer,
  });
  await control('stripe/bank', { customer: who.customer, answer: 'paid' });
  expect((await charge(who)).status).toBe('succeeded');
});

test('a refund fails at once while the bank says that the card is canceled, and its amount stays', async () => {
  const who = await saved('pm_card_visa');
  const { id, latest_charge: paid } = await charge(who);
  await control('stripe/bank', { customer: who.customer, answer: 'expired_or_canceled_card' });
  expect(await sdk().refunds.create({ payment_intent: id })).toMatchObject({
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
    amount: 29900,
  });
  expect(await sdk().charges.retrieve(paid as string)).toMatchObject({ amount_refunded: 0, refunded: false });
  await control('stripe/bank', { customer: who.customer, answer: 'paid' });
  expect(await sdk().refunds.create({ payment_intent: id })).toMatchObject({ status: 'succeeded' });
});

test('the bank says it as often as told, then the card decides again', async () => {
  const who = await saved('pm_card_visa');
  const another = await saved('pm_card_visa');
  await control('stripe/bank', { customer: who.customer, answer: 'insufficient_funds', times: 2 });
  expect((await charge(another)).status).toBe('succeeded');
  for (const _ of [1, 2]) expect((await failure(charge(who))).statusCode).toBe(402);
  expect((await charge(who)).status).toBe('succeeded');
  expect((await control('stripe/bank', { customer: 'cus_nobody', answer: 'paid' })).status).toBe(404);
  expect((await control('stripe/bank', { customer: who.customer })).status).toBe(400);
});

test('a key that is forgotten makes another charge, and a younger one does not', async () => {
  const who = await saved('pm_card_visa');
  const key = { idempotencyKey: randomUUID() };
  const { id } = await charge(who, key);
  await control('stripe/forget-keys', { olderThanSeconds: 60 });
  expect((await charge(who, key)).id).toBe(id);
  await control('stripe/forget-keys', { olderThanSeconds: 0 });
  expect((await charge(who, key)).id).not.toBe(id);
});

test('a card whose holder passed the check is attached and paid, off-session too', async () => {
  const { id: customer } = await sdk().customers.create({});
  const intent = await sdk().setupIntents.create({
    customer,
    payment_method: 'pm_card_authenticationRequired',
    confirm: true,
  });
  const method = intent.payment_method as string;
  expect(intent.status).toBe('requires_action');
  expect((await failure(charge({ customer, method }))).code).toBe('authentication_required');
  await control('stripe/bank', { customer, answer: 'authentication_required' });
  const pass = () => control(`stripe/setup-intents/${intent.id}/authenticate`, {});
  expect((await pass()).status).toBe(200);
  expect(await sdk().setupIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded' });
  expect(await sdk().paymentMethods.retrieve(method)).toMatchObject({ customer });
  expect((await charge({ customer, method })).status).toBe('succeeded');
  expect((await pass()).status).toBe(409);
  expect((await control('stripe/setup-intents/seti_nobody/authenticate', {})).status).toBe(404);
  // Said later, it holds for this card as for any.
  await control('stripe/bank', { customer, answer: 'authentication_required' });
  expect((await failure(charge({ customer, method }))).code).toBe('authentication_required');
});

test('lists charges and refunds of a period, newest first, page by page', async () => {
  const { customer, method } = await saved('pm_card_visa');
  const made = await charge({ customer, method });
  const at = '2026-01-02T03:04:05Z';
  const seconds = Date.parse(at) / 1_000;
  const byHand = async (time: string, cents: number) => {
    const form = { customer, amountCents: cents, metadata: { task_id: 't1' }, at: time };
    const { status, body } = await control('stripe/charges', form);
    expect([status, body]).toMatchObject([
      200,
      { charge: { amount: cents, customer, payment_intent: null, metadata: { task_id: 't1' } } },
    ]);
    return (body as { charge: { id: string } }).charge.id;
  };
  const [second, first] = [await byHand(at, 200), await byHand('2026-01-01T00:00:00.000Z', 100)];
  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
  expect(idsOf(await sdk().charges.list({ customer }))).toEqual([made.latest_charge, second, first]);
  const period = { gte: Date.parse('2026-01-01') / 1_000, lt: seconds + 1 };
  const page = await sdk().charges.list({ customer, created: period, limit: 1 });
  expect([idsOf(page), page.has_more]).toEqual([[second], true]);
  const rest = await sdk().charges.list({ customer, created: period, limit: 1, starting_after: second });
  expect([idsOf(rest), rest.has_more]).toEqual([[first], false]);
  expect(idsOf(await sdk().charges.list({ customer, created: { lt: seconds } }))).toEqual([first]);

  const back = await control('stripe/refunds', { charge: second, amountCents: 50, at });
  expect([back.status, back.body]).toMatchObject([201, { refund: { amount: 50, created: seconds } }]);
  const { data } = await sdk().refunds.list({ created: { gte: seconds, lt: seconds + 1 } });
  expect(data).toMatchObject([{ charge: second, amount: 50, payment_intent: null }]);
  expect((await sdk().refunds.list({ charge: second, created: { lt: seconds } })).data).toEqual([]);
  expect((await control('stripe/refunds', { charge: second, amountCents: 151 })).status).toBe(409);
  expect((await control('stripe/charges', { customer: 'cus_nobody', amountCents: 1 })).status).toBe(404);
  for (const wrong of [{ customer }, { customer, amountCents: 0 }, { customer, amountCents: 1, at: 'now' }])
    expect((await control('stripe/charges', wrong)).status).toBe(400);
});

test('fails a refund afterwards: its amount can be refunded again', async () => {
  const intent = await charge(await saved('pm_card_visa'));
  const made = await sdk().refunds.create({ payment_intent: intent.id });
  const fail = (id: string) => control(`stripe/refunds/${id}/fail`, {});
  for (const _ of [1, 2])
    expect(await fail(made.id)).toMatchObject({ status: 200, body: { refund: { status: 'failed' } } });
  expect(await sdk().charges.retrieve(intent.latest_charge as string)).toMatchObject({
    amount_refunded: 0,
    refunded: false,
  });
  expect(await sdk().refunds.create({ payment_intent: intent.id })).toMatchObject({ amount: 29900 });
  expect((await fail('re_nobody')).status).toBe(404);
  expect((await control('stripe/events', { type: 'refund.failed', id: made.id })).status).toBe(200);
  expect(JSON.parse(webhook.text)).toMatchObject({
    type: 'refund.failed',
    data: { object: { id: made.id, status: 'failed', payment_intent: intent.id } },
  });
});

test('signs webhooks as the library checks them', async () => {
  const intent = await charge(await saved('pm_card_visa'));
  const { latest_charge: chargeId } = intent;
  const tell = async (type: string, id: string) => {
    expect(await control('stripe/events', { type, id })).toMatchObject({
      status: 200,
      body: { status: 200, body: { received: true } },
    });
    expect(webhook.path).toBe('/orchestrator/webhooks/stripe');
    const secret = sandbox.config().SANDBOX_STRIPE_WEBHOOK_SECRET;
    const event = sdk().webhooks.constructEvent(webhook.text, webhook.signature as string, secret);
    expect(event).toMatchObject({ id: expect.stringMatching(/^evt_/), object: 'event', type });
    return event.data.object;
  };
  expect(await tell('payment_intent.succeeded', intent.id)).toEqual(
    JSON.parse(JSON.stringify(await sdk().paymentIntents.retrieve(intent.id))),
  );
  const dispute = await tell('charge.dispute.created', chargeId as string);
  expect(dispute).toMatchObject({ charge: chargeId, payment_intent: intent.id, amount: 29900 });
  expect(dispute).not.toHaveProperty('metadata');
  expect((await control('stripe/refunds', { charge: chargeId as string })).status).toBe(201);
  expect((await control('stripe/refunds', { charge: chargeId as string })).status).toBe(409);
  expect(await rows('refunds')).toContainEqual(
    expect.objectContaining({ charge: chargeId, idempotencyKey: null }),
  );
  expect(await tell('charge.refunded', chargeId as string)).toMatchObject({
    id: chargeId,
    amount_refunded: 29900,
    refunded: true,
    metadata: {},
  });
  expect((await control('stripe/events', { type: 'charge.refunded', id: 'ch_nobody' })).status).toBe(404);
  expect((await control('stripe/events', { type: 'charge.else', id: chargeId as string })).status).toBe(400);
});

test('a sandbox that starts again knows refunds, their keys, what the bank was told and who passed its check', async () => {
  const config = readConfig(await freshSettings());
  const first = await startSandbox(config);
  const stripe = sdk(first.url);
  const { id: customer } = await stripe.customers.create({});
  const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const intent = await charge({ customer, method }, {}, stripe);
  await stripe.refunds.create({ payment_intent: intent.id, amount: 100 }, { idempotencyKey: 'r' });
  const setup = await stripe.setupIntents.create({
    payment_method: 'pm_card_authenticationRequired',
    confirm: true,
  });
  await call(`${first.url}/_sandbox/stripe/setup-intents/${setup.id}/authenticate`, { json: {} });
  await call(`${first.url}/_sandbox/stripe/bank`, {
    json: { customer, answer: 'insufficient_funds', times: 2 },
  });
  await failure(charge({ customer, method }, {}, stripe));
  const before = [await rows('refunds', first.url), await rows('charges', first.url)];
  await first.close();

  const second = await startSandbox(config);
  try {
    const later = sdk(second.url);
    expect([await rows('refunds', second.url), await rows('charges', second.url)]).toEqual(before);
    expect(before[0]).toMatchObject([{ idempotencyKey: 'r', amountCents: 100 }]);
    expect((await failure(charge({ customer, method }, {}, later))).code).toBe('card_declined');
    expect((await charge({ customer, method }, {}, later)).status).toBe('succeeded');
    const authenticated = setup.payment_method as string;
    await later.paymentMethods.attach(authenticated, { customer });
    expect((await charge({ customer, method: authenticated }, {}, later)).status).toBe('succeeded');
  } finally {
    await second.close();
  }
});
