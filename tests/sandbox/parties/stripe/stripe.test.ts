import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { useSandbox } from '../../helpers.js';

const sandbox = useSandbox();

/** The official SDK, given a base with a path: it has no such option, so its HTTP client adds the path. */
function sdk(apiBase: string, secretKey = sandbox.config().SANDBOX_STRIPE_SECRET_KEY): Stripe {
  const base = new URL(apiBase);
  const httpClient = Stripe.createNodeHttpClient();
  const send = httpClient.makeRequest.bind(httpClient);
  httpClient.makeRequest = (host, port, path, ...rest) =>
    send(host, port, base.pathname.replace(/\/$/, '') + path, ...rest);
  return new Stripe(secretKey, {
    host: base.hostname,
    port: base.port,
    protocol: base.protocol === 'http:' ? 'http' : 'https',
    httpClient,
    maxNetworkRetries: 0,
    telemetry: false,
  });
}
const stripe = (): Stripe => sdk(`${sandbox.url()}/stripe`);

const customerWith = async (card: string): Promise<{ customer: string; method: string }> => {
  const customer = await stripe().customers.create({ email: `${randomUUID()}@patients.test` });
  const method = await stripe().paymentMethods.attach(card, { customer: customer.id });
  return { customer: customer.id, method: method.id };
};
const charge = (
  { customer, method }: { customer: string; method: string },
  options: Stripe.RequestOptions = {},
  taskId: string = randomUUID(),
) =>
  stripe().paymentIntents.create(
    {
      amount: 29900,
      currency: 'usd',
      customer,
      payment_method: method,
      confirm: true,
      off_session: true,
      metadata: { taskId },
    },
    options,
  );
const failure = async (call: Promise<unknown>): Promise<Stripe.errors.StripeError> =>
  call.then(
    () => {
      throw new Error('the call was expected to fail');
    },
    (error: unknown) => error as Stripe.errors.StripeError,
  );
const chargesOf = async (taskId: string) => {
  const { body } = await sandbox.call('/_sandbox/charges');
  return (body as { charges: { metadata: { taskId?: string } }[] }).charges.filter(
    ({ metadata }) => metadata.taskId === taskId,
  );
};

test('is reached by the SDK below a base path and at the root', async () => {
  for (const base of [`${sandbox.url()}/stripe`, sandbox.url()]) {
    expect((await sdk(base).coupons.retrieve('WELCOME25')).percent_off).toBe(25);
  }
});

test('refuses another key', async () => {
  const error = await failure(sdk(`${sandbox.url()}/stripe`, 'sk_test_other').customers.list());
  expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
});

test('keeps customers and finds them by e-mail, a page at a time', async () => {
  const email = `${randomUUID()}@patients.test`;
  const made = [];
  for (const name of ['One', 'Two', 'Three']) made.push(await stripe().customers.create({ email, name }));
  await stripe().customers.update(made[0]!.id, { metadata: { plan: 'monthly' } });
  expect(await stripe().customers.retrieve(made[0]!.id)).toMatchObject({
    name: 'One',
    metadata: { plan: 'monthly' },
  });

  const page = await stripe().customers.list({ email, limit: 2 });
  expect(page.data.map(({ name }) => name)).toEqual(['Three', 'Two']);
  expect(page.has_more).toBe(true);
  const rest = await stripe().customers.list({ email, limit: 2, starting_after: page.data[1]!.id });
  expect(rest.data.map(({ name }) => name)).toEqual(['One']);
  expect(rest.has_more).toBe(false);
});

test.each<[string, Stripe.CustomerCreateParams]>([
  ['email', { email: 'none' }],
  ['name', { name: 'N'.repeat(257) }],
])('makes no customer with an invalid %s', async (param, fields) => {
  expect(await failure(stripe().customers.create(fields))).toMatchObject({ statusCode: 400, param });
});

test('saves a test card under an id of its own, for one customer', async () => {
  const { customer, method } = await customerWith('pm_card_visa');
  expect(method).toMatch(/^pm_[0-9a-f]{24}$/);
  expect(await stripe().paymentMethods.retrieve(method)).toMatchObject({ customer, card: { last4: '4242' } });
  const other = await stripe().customers.create({});
  expect((await failure(stripe().paymentMethods.attach(method, { customer: other.id }))).statusCode).toBe(
    400,
  );
  expect((await stripe().paymentMethods.detach(method)).customer).toBeNull();
});

test('refuses to save a card that the bank declines', async () => {
  const error = await failure(customerWith('pm_card_chargeDeclined'));
  expect(error).toMatchObject({ statusCode: 402, code: 'card_declined', decline_code: 'generic_decline' });
});

test('confirms a setup intent and saves the card for its customer', async () => {
  const { id: customer } = await stripe().customers.create({});
  const intent = await stripe().setupIntents.create({ customer });
  expect(intent).toMatchObject({
    status: 'requires_payment_method',
    client_secret: expect.stringMatching(/^seti_/),
  });
  const done = await stripe().setupIntents.confirm(intent.id, { payment_method: 'pm_card_mastercard' });
  expect(done.status).toBe('succeeded');
  expect(await stripe().setupIntents.retrieve(intent.id)).toEqual(
    expect.objectContaining({ status: 'succeeded' }),
  );
  expect(await stripe().paymentMethods.retrieve(done.payment_method as string)).toMatchObject({ customer });
});

test('confirms a setup intent without a customer, whose card can then be attached to one, and to one only', async () => {
  const intent = await stripe().setupIntents.create({});
  const { payment_method: method } = await stripe().setupIntents.confirm(intent.id, {
    payment_method: 'pm_card_visa',
  });
  expect(await stripe().paymentMethods.retrieve(method as string)).toMatchObject({ customer: null });
  const { id: customer } = await stripe().customers.create({});
  expect(await stripe().paymentMethods.attach(method as string, { customer })).toMatchObject({
    id: method,
    customer,
  });
  const other = await stripe().customers.create({});
  const refused = stripe().paymentMethods.attach(method as string, { customer: other.id });
  expect((await failure(refused)).statusCode).toBe(400);
});

test('charges a saved card off-session', async () => {
  const taskId = randomUUID();
  const intent = await charge(await customerWith('pm_card_visa'), {}, taskId);
  expect(intent).toMatchObject({ status: 'succeeded', amount_received: 29900, last_payment_error: null });
  expect(await chargesOf(taskId)).toEqual([
    {
      id: intent.latest_charge,
      paymentIntent: intent.id,
      paymentMethod: intent.payment_method,
      amountCents: 29900,
      refundedCents: 0,
      currency: 'usd',
      customer: intent.customer,
      status: 'succeeded',
      metadata: { taskId },
      at: expect.any(String),
    },
  ]);
});

test.each([
  ['pm_card_chargeCustomerFail', 'card_declined', 'generic_decline'],
  ['pm_card_authenticationRequired', 'authentication_required', 'authentication_required'],
])('declines a charge of %s and keeps the declined intent', async (card, code, declineCode) => {
  const error = await failure(charge(await customerWith(card)));
  expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
  expect(error).toMatchObject({ statusCode: 402, code, decline_code: declineCode });
  expect(await stripe().paymentIntents.retrieve(error.payment_intent!.id)).toMatchObject({
    status: 'requires_payment_method',
    amount_received: 0,
    last_payment_error: { code, decline_code: declineCode },
  });
});

test('declines a card without funds', async () => {
  const call = stripe().paymentIntents.create({
    amount: 500,
    currency: 'usd',
    payment_method: 'pm_card_chargeDeclinedInsufficientFunds',
    confirm: true,
  });
  expect(await failure(call)).toMatchObject({ code: 'card_declined', decline_code: 'insufficient_funds' });
});

test('charges once for twenty calls with one idempotency key', async () => {
  const taskId = randomUUID();
  const saved = await customerWith('pm_card_visa');
  const options = { idempotencyKey: `charge:${taskId}:1` };
  const intents = await Promise.all(Array.from({ length: 20 }, () => charge(saved, options, taskId)));
  expect(new Set(intents.map(({ id }) => id)).size).toBe(1);
  expect(
    intents.filter(({ lastResponse }) => lastResponse.headers['idempotent-replayed'] === 'true'),
  ).toHaveLength(19);
  expect(await chargesOf(taskId)).toHaveLength(1);
});

test('replays a decline for its idempotency key', async () => {
  const taskId = randomUUID();
  const saved = await customerWith('pm_card_chargeCustomerFail');
  const options = { idempotencyKey: `charge:${taskId}:1` };
  const first = await failure(charge(saved, options, taskId));
  const second = await failure(charge(saved, options, taskId));
  expect(second.payment_intent!.id).toBe(first.payment_intent!.id);
  expect(second.headers!['idempotent-replayed']).toBe('true');
  expect(await chargesOf(taskId)).toHaveLength(1);
});

test('refuses an idempotency key with other parameters', async () => {
  const saved = await customerWith('pm_card_visa');
  const options = { idempotencyKey: randomUUID() };
  await charge(saved, options);
  const error = await failure(charge(saved, options));
  expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  expect(error.statusCode).toBe(400);
});

test('lists and searches intents by customer and metadata', async () => {
  const taskId = randomUUID();
  const saved = await customerWith('pm_card_visa');
  const { id } = await charge(saved, {}, taskId);
  await charge(saved);
  expect((await stripe().paymentIntents.list({ customer: saved.customer })).data).toHaveLength(2);
  const search = (query: string) => stripe().paymentIntents.search({ query });
  expect((await search(`metadata['taskId']:'${taskId}'`)).data.map((intent) => intent.id)).toEqual([id]);
  expect((await search(`metadata["taskId"]:"${taskId}" AND status:"succeeded"`)).data).toHaveLength(1);
  expect((await search(`metadata['taskId']:'${taskId}' AND -status:'succeeded'`)).data).toEqual([]);
  expect((await failure(search('taskId = 1'))).statusCode).toBe(400);
  expect((await failure(search("charge:'ch_1'"))).statusCode).toBe(400);
});

test('searches customers by metadata', async () => {
  const reference = randomUUID();
  const { id } = await stripe().customers.create({ metadata: { submission_id: reference } });
  await stripe().customers.create({ metadata: { submission_id: randomUUID() } });
  const search = (query: string) => stripe().customers.search({ query });
  expect((await search(`metadata['submission_id']:'${reference}'`)).data).toMatchObject([{ id }]);
  expect((await search(`metadata['submission_id']:'${randomUUID()}'`)).data).toEqual([]);
  expect((await failure(search("status:'succeeded'"))).statusCode).toBe(400);
});

test('cancels an intent that has not been charged, and no other', async () => {
  const open = await stripe().paymentIntents.create({ amount: 500, currency: 'usd' });
  expect((await stripe().paymentIntents.cancel(open.id)).status).toBe('canceled');
  const paid = await charge(await customerWith('pm_card_visa'));
  expect((await failure(stripe().paymentIntents.cancel(paid.id))).code).toBe(
    'payment_intent_unexpected_state',
  );
});

test('has three coupons of which one is over, and takes more', async () => {
  expect(await stripe().coupons.retrieve('WELCOME25')).toMatchObject({ percent_off: 25, valid: true });
  expect(await stripe().coupons.retrieve('TENOFF')).toMatchObject({ amount_off: 1000, valid: true });
  expect(await stripe().coupons.retrieve('EXPIRED')).toMatchObject({ percent_off: 50, valid: false });
  const id = randomUUID();
  await stripe().coupons.create({ id, percent_off: 10, duration: 'once' });
  expect((await stripe().coupons.list({ limit: 1 })).data[0]).toMatchObject({
    id,
    duration: 'once',
    valid: true,
  });
  expect((await failure(stripe().coupons.create({ id, percent_off: 10 }))).code).toBe(
    'resource_already_exists',
  );
  expect(await stripe().coupons.del(id)).toMatchObject({ deleted: true });
  expect(await failure(stripe().coupons.retrieve(id))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  });
});

test('tells unknown ids, unknown parameters and missing ones apart', async () => {
  expect(await failure(stripe().customers.retrieve('cus_none'))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  });
  expect(await failure(stripe().setupIntents.create({ customer: 'cus_none' }))).toMatchObject({
    statusCode: 400,
    code: 'resource_missing',
    param: 'customer',
  });
  const bare = (body: Record<string, string>) =>
    sandbox.call('/stripe/v1/payment_intents', {
      method: 'POST',
      body: new URLSearchParams(body),
      headers: { authorization: `Bearer ${sandbox.config().SANDBOX_STRIPE_SECRET_KEY}` },
    });
  expect(await bare({ amount: '500' })).toMatchObject({
    status: 400,
    body: { error: { code: 'parameter_missing', param: 'currency' } },
  });
  expect(await bare({ amount: '500', currency: 'usd', color: 'red' })).toMatchObject({
    status: 400,
    body: { error: { code: 'parameter_unknown', param: 'color' } },
  });
  expect(await bare({ amount: '10', currency: 'usd' })).toMatchObject({
    status: 400,
    body: { error: { code: 'amount_too_small' } },
  });
});

test('expands an object that an answer refers to', async () => {
  const saved = await customerWith('pm_card_visa');
  const { id } = await charge(saved);
  const intent = await stripe().paymentIntents.retrieve(id, { expand: ['latest_charge', 'customer'] });
  expect(intent).toMatchObject({
    latest_charge: { object: 'charge', paid: true },
    customer: { id: saved.customer },
  });
});
