import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startSandbox } from '../../../sandbox/app.js';
import { readConfig } from '../../../sandbox/config.js';
import { call, freshSettings, orderA, orderB, useSandbox, type Answer } from '../helpers.js';

/** The webhooks that the router was sent, oldest first. */
const webhooks: { path: string | undefined; body: unknown }[] = [];
const router = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    webhooks.push({ path: request.url, body: JSON.parse(text) });
    response.end('{"ok":true}');
  });
}).listen(0, '127.0.0.1');
await once(router, 'listening');
afterAll(() => {
  router.close();
});
beforeEach(() => {
  webhooks.length = 0;
});

const routerUrl = `http://127.0.0.1:${(router.address() as AddressInfo).port}`;
const sandbox = useSandbox({ SANDBOX_ROUTER_URL: routerUrl });

type Headers = Record<string, string>;

interface Hold {
  id: string;
  code?: string;
  message?: string;
  until?: string;
}

/** One pharmacy in its own words: where its calls are and how its answers name things. */
interface Words {
  pharmacy: string;
  list: string;
  query: string;
  place: (reference: string) => object;
  credentials: (base: string) => Promise<Headers>;
  base: string;
  path: string;
  id: string;
  shown: (order: {
    id: string;
    reference: unknown;
    status: string;
    tracking?: string;
    carrier?: string;
  }) => object;
  approved: (id: string) => object;
  denied: (id: string, reason: string) => object;
  webhook: (id: string, status: string) => object;
  hold: (hold: Hold) => object;
  denials: { shipped: string; dispensed: string; other: string };
  change: object;
}

const pharmacies: Words[] = [
  {
    pharmacy: 'pharmacy_a',
    list: 'orders',
    query: 'externalId',
    place: (externalId) => orderA({ externalId }),
    credentials: async () => ({ 'x-api-key': sandbox.config().SANDBOX_PHARMACY_A_API_KEY }),
    base: '/pharmacy-a',
    path: '/orders',
    id: 'caseId',
    shown: ({ id, reference, status, tracking, carrier }) => ({
      caseId: id,
      externalId: reference,
      rxStatus: status,
      ...(tracking !== undefined && { trackingNumber: tracking }),
      ...(carrier !== undefined && { carrier }),
    }),
    approved: (caseId) => ({ caseId, cancellation: 'approved' }),
    denied: (caseId, reason) => ({ caseId, cancellation: 'denied', reason }),
    webhook: (caseId, rxStatus) => ({ caseId, rxStatus }),
    hold: (hold) => ({ hold }),
    denials: { shipped: 'already-shipped', dispensed: 'already-dispensed', other: 'call-us' },
    change: { sig: 'inject every other week', shipTo: orderA().shipTo },
  },
  {
    pharmacy: 'pharmacy_b',
    list: 'prescriptions',
    query: 'reference',
    place: (reference) => orderB({ reference }),
    credentials: async (base) => {
      const { body } = await sandbox.call(`${base}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: sandbox.config().SANDBOX_PHARMACY_B_CLIENT_ID,
          client_secret: sandbox.config().SANDBOX_PHARMACY_B_CLIENT_SECRET,
        }),
      });
      return { authorization: `Bearer ${(body as { access_token: string }).access_token}` };
    },
    base: '/pharmacy-b',
    path: '/prescriptions',
    id: 'tracking_id',
    shown: ({ id, reference, status, tracking, carrier }) => ({
      tracking_id: id,
      reference,
      rxstatus: status,
      ...(tracking !== undefined && { trackingnumber: tracking }),
      ...(carrier !== undefined && { shippingcarrier: carrier }),
    }),
    approved: (id) => ({ tracking_id: id, result: 'approved' }),
    denied: (id, reason) => ({ tracking_id: id, result: 'denied', denial_reason: reason }),
    webhook: (id, rxstatus) => ({ tracking_id: id, rxstatus }),
    hold: ({ id, code, message, until }) => ({
      holdid: id,
      ...(code !== undefined && { holdcode: code }),
      ...(message !== undefined && { holdmessage: message }),
      ...(until !== undefined && { holduntil: until }),
    }),
    denials: { shipped: 'SHIPPED', dispensed: 'DISPENSED', other: 'CALL_US' },
    change: { directions: 'inject every other week', shipping: orderB().shipping },
  },
];

describe.each(pharmacies)('$pharmacy', (words) => {
  let live: Headers;
  beforeAll(async () => {
    live = await words.credentials(words.base);
  });
  const post = (path: string, json: object, key: string): Promise<Answer> =>
    sandbox.call(`${words.base}${words.path}${path}`, {
      json,
      headers: { ...live, ...(key && { 'idempotency-key': key }) },
    });
  const get = (path: string): Promise<Answer> =>
    sandbox.call(`${words.base}${words.path}${path}`, { headers: live });
  const place = async (reference: string): Promise<string> => {
    const { body } = await post('', words.place(reference), randomUUID());
    return (body as Record<string, string>)[words.id] ?? '';
  };

  test('tells of an order, and finds those of a reference, the oldest first', async () => {
    const reference = randomUUID();
    const first = await place(reference);
    const second = await place(reference);
    const shown = [first, second].map((id) => words.shown({ id, reference, status: 'received' }));
    expect((await get(`/${first}`)).body).toEqual(shown[0]);
    expect(await get(`?${words.query}=${reference}`)).toMatchObject({ status: 200 });
    expect((await get(`?${words.query}=${reference}`)).body).toEqual({ [words.list]: shown });
    expect((await get(`?${words.query}=${randomUUID()}`)).body).toEqual({ [words.list]: [] });
    expect((await get('')).status).toBe(422);
  });

  test('knows nobody else, no order of the other variant and none that was not placed', async () => {
    const reference = randomUUID();
    const id = await place(reference);
    const elsewhere = `${words.base}/test`;
    const credentials = await words.credentials(elsewhere);
    const trial = (path: string) => sandbox.call(elsewhere + words.path + path, { headers: credentials });
    expect((await trial(`?${words.query}=${reference}`)).body).toEqual({ [words.list]: [] });
    for (const answer of [await trial(`/${id}`), await get('/nobody'), await post('/nobody/cancel', {}, 'k')])
      expect(answer).toMatchObject({ status: 404, body: { error: 'Unknown order' } });
    expect(await sandbox.call(`${words.base}${words.path}/${id}`)).toMatchObject({
      status: 401,
      body: { error: expect.any(String) },
    });
    expect((await sandbox.call(`${words.base}${words.path}/${id}/cancel`, { json: {} })).status).toBe(401);
  });

  test('cancels once, whatever is asked again, and uses up a key with its answer', async () => {
    const id = await place(randomUUID());
    const key = randomUUID();
    expect((await post(`/${id}/cancel`, {}, '')).status).toBe(400);
    expect((await post(`/${id}/cancel`, { reason: 7 }, key)).status).toBe(422);
    for (const [with_, status] of [
      [{ reason: 'moved' }, 200],
      [{ reason: 'moved' }, 200],
      [{ reason: 'other' }, 409],
    ] as const)
      expect((await post(`/${id}/cancel`, with_, key)).status).toBe(status);
    expect((await post(`/${id}/cancel`, {}, randomUUID())).body).toEqual(words.approved(id));
    const { body } = await sandbox.call(`/_sandbox/orders?pharmacy=${words.pharmacy}&limit=1`);
    expect(body).toMatchObject({
      orders: [{ orderId: id, status: 'cancelled', moves: [{ status: 'cancelled' }] }],
    });
  });

  const control = (id: string, what: string, json: object): Promise<Answer> =>
    sandbox.call(`/_sandbox/pharmacies/${words.pharmacy}/orders/${id}/${what}`, { json });
  const row = async (id: string) => {
    const { body } = await sandbox.call(`/_sandbox/orders?pharmacy=${words.pharmacy}`);
    const { orders } = body as { orders: { orderId: string; status: string; moves: { status: string }[] }[] };
    return orders.find(({ orderId }) => orderId === id);
  };
  const cancel = (id: string, key: string = randomUUID()) => post(`/${id}/cancel`, {}, key);
  const asked = async (id: string) => (await get(`/${id}`)).body;

  test('denies a cancellation of what was sent or dispensed, once per key, and approves all others', async () => {
    const id = await place(randomUUID());
    await control(id, 'status', { status: 'processing', silent: true });
    await control(id, 'status', { status: 'shipped', trackingNumber: 'T1', carrier: 'ups', silent: true });
    const key = randomUUID();
    expect((await cancel(id, key)).body).toEqual(words.denied(id, words.denials.shipped));
    await control(id, 'status', { status: 'delivered', silent: true });
    expect((await cancel(id, key)).body).toEqual(words.denied(id, words.denials.shipped));
    expect((await cancel(id)).body).toEqual(words.denied(id, words.denials.dispensed));
    expect(await asked(id)).toMatchObject(
      words.shown({
        id,
        reference: expect.any(String),
        status: 'delivered',
        tracking: 'T1',
        carrier: 'ups',
      }),
    );
    await control(id, 'status', { status: 'cancelled', silent: true });
    expect((await cancel(id)).body).toEqual(words.approved(id));
    expect(webhooks).toEqual([]);
    expect(await row(id)).toMatchObject({
      moves: ['processing', 'shipped', 'delivered', 'cancelled'].map((status) => ({
        status,
        at: expect.any(String),
      })),
    });
  });

  test('answers a cancellation as it was told to, whatever the status', async () => {
    const id = await place(randomUUID());
    expect((await control(id, 'cancellation', { answer: 'deny', reason: 'on-strike' })).body).toEqual({
      ok: true,
    });
    expect((await cancel(id)).body).toEqual(words.denied(id, 'on-strike'));
    await control(id, 'cancellation', { answer: 'deny' });
    expect((await cancel(id)).body).toEqual(words.denied(id, words.denials.other));
    await control(id, 'status', { status: 'shipped' });
    await control(id, 'cancellation', { answer: 'approve' });
    expect((await cancel(id)).body).toEqual(words.approved(id));
    expect(await row(id)).toMatchObject({ status: 'cancelled' });
  });

  test('decides on a cancellation when it answers, so that what is shipped meanwhile is denied', async () => {
    const id = await place(randomUUID());
    await sandbox.setFault({
      target: words.pharmacy,
      operation: 'cancel',
      kind: 'delay',
      delayMs: 1000,
      times: 1,
    });
    const late = cancel(id);
    await control(id, 'status', { status: 'shipped' });
    expect((await late).body).toEqual(words.denied(id, words.denials.shipped));
  });

  test('cancels although the answer is lost, and the same key learns it', async () => {
    const id = await place(randomUUID());
    const key = randomUUID();
    await sandbox.setFault({ target: words.pharmacy, operation: 'cancel', kind: 'lost-answer', times: 1 });
    await expect(cancel(id, key)).rejects.toThrow();
    expect((await cancel(id, key)).body).toEqual(words.approved(id));
    expect(await row(id)).toMatchObject({ status: 'cancelled', moves: [{ status: 'cancelled' }] });
  });

  test('moves a cancelled order no more, and tells nobody of the cancellation', async () => {
    const id = await place(randomUUID());
    await cancel(id);
    for (const silent of [true, false])
      expect(await control(id, 'status', { status: 'shipped', silent })).toMatchObject({
        status: 409,
        body: { error: 'Order is cancelled' },
      });
    expect(webhooks).toEqual([]);
    expect(await asked(id)).toMatchObject(
      words.shown({ id, reference: expect.any(String), status: 'cancelled' }),
    );
  });

  test('forgets an order: its calls find nothing, it moves no more, and the book says so', async () => {
    const reference = randomUUID();
    const [id, kept] = [await place(reference), await place(reference)];
    await control(id, 'hold', { id: 'h1', code: 'S' });
    webhooks.length = 0;
    expect((await control(id, 'forget', { all: true })).status).toBe(400);
    expect((await control(randomUUID(), 'forget', {})).status).toBe(404);
    for (const _ of [1, 2])
      expect(await control(id, 'forget', {})).toMatchObject({ status: 200, body: { ok: true } });
    const answer = await post(`/${id}/holds/h1/answer`, { answer: 'proceed' }, randomUUID());
    for (const asked of [await get(`/${id}`), await cancel(id), answer])
      expect(asked).toMatchObject({ status: 404, body: { error: 'Unknown order' } });
    expect((await get(`?${words.query}=${reference}`)).body).toEqual({
      [words.list]: [words.shown({ id: kept, reference, status: 'received' })],
    });
    for (const silent of [true, false])
      expect((await control(id, 'status', { status: 'shipped', silent })).status).toBe(409);
    expect(webhooks).toEqual([]);
    expect(await row(id)).toMatchObject({ status: 'received', forgotten: true, moves: [] });
    expect(await row(kept)).not.toHaveProperty('forgotten');
  });

  test('opens a hold once, tells of it, and takes one answer to it', async () => {
    const id = await place(randomUUID());
    const hold = { id: 'h1', code: 'P', message: 'Needs a form', until: '2031-05-01T00:00:00Z' };
    expect((await control(id, 'hold', hold)).body).toEqual({ status: 200, body: { ok: true } });
    await control(id, 'hold', { ...hold, message: 'again' });
    await control(id, 'hold', { id: 'h2', code: 'S' });
    const path = `/rx/webhooks/${words.pharmacy}`;
    expect(webhooks).toEqual([
      { path, body: { ...words.webhook(id, 'on-hold'), ...words.hold(hold) } },
      { path, body: { ...words.webhook(id, 'on-hold'), ...words.hold({ ...hold, message: 'again' }) } },
      { path, body: { ...words.webhook(id, 'on-hold'), ...words.hold({ id: 'h2', code: 'S' }) } },
    ]);
    expect(await asked(id)).toMatchObject(words.hold({ id: 'h2', code: 'S' }));

    const key = randomUUID();
    const answer = (holdId: string, json: object, key: string = randomUUID()) =>
      post(`/${id}/holds/${holdId}/answer`, json, key);
    const change = { answer: 'change', text: 'as agreed', changes: words.change };
    expect((await answer('h2', change, '')).status).toBe(400);
    expect((await answer('h2', { answer: 'perhaps' }, key)).status).toBe(422);
    expect((await answer('h2', { ...change, changes: { color: 'red' } }, key)).status).toBe(422);
    expect(await answer('h9', change, key)).toMatchObject({ status: 404, body: { error: 'Unknown hold' } });
    await sandbox.setFault({
      target: words.pharmacy,
      operation: 'answer',
      kind: 'status',
      status: 422,
      times: 1,
    });
    expect((await answer('h2', change, key)).status).toBe(422);
    expect(await answer('h2', change, key)).toMatchObject({ status: 200, body: { ok: true } });
    expect((await answer('h2', change, key)).status).toBe(200);
    expect((await answer('h2', { answer: 'decline' }, key)).status).toBe(409);
    expect(await answer('h2', change)).toMatchObject({ status: 409, body: { error: 'Hold is not open' } });
    // The newest that is open.
    expect(await asked(id)).toMatchObject(words.hold(hold));
    await control(id, 'release', { id: 'h1' });
    expect(await answer('h1', change)).toMatchObject({ status: 409, body: { error: 'Hold is not open' } });
    expect(webhooks.at(-1)).toEqual({
      path,
      body: { ...words.webhook(id, 'hold-released'), ...words.hold({ id: 'h1' }) },
    });
    expect(await row(id)).toMatchObject({
      holds: [
        { id: 'h1', code: 'P', state: 'released', answer: null, at: expect.any(String) },
        { id: 'h2', code: 'S', state: 'answered', answer: 'change', at: expect.any(String) },
      ],
    });
  });

  test('an order that moves on or is cancelled is held no longer', async () => {
    for (const end of ['shipped', 'delivered', 'cancelled', 'cancel']) {
      const id = await place(randomUUID());
      await control(id, 'hold', { id: 'h', code: 'S' });
      await control(id, 'status', { status: 'processing' });
      expect(await row(id)).toMatchObject({ holds: [{ state: 'open' }] });
      await (end === 'cancel' ? cancel(id) : control(id, 'status', { status: end, silent: true }));
      expect(await row(id)).toMatchObject({ holds: [{ state: 'released' }] });
    }
    expect(webhooks.filter(({ body }) => JSON.stringify(body).includes('released'))).toEqual([]);
  });

  test('a hold whose release came first is never open', async () => {
    const id = await place(randomUUID());
    expect((await control(id, 'release', { id: 'h' })).status).toBe(200);
    await control(id, 'hold', { id: 'h', code: 'S' });
    expect(await row(id)).toMatchObject({ holds: [{ id: 'h', state: 'released' }] });
    expect(webhooks).toHaveLength(2);
  });
});

test('what a control call cannot mean is 400, and an order that is not there 404', async () => {
  const { body } = await sandbox.call('/pharmacy-a/orders', {
    json: orderA(),
    headers: { 'x-api-key': sandbox.config().SANDBOX_PHARMACY_A_API_KEY, 'idempotency-key': randomUUID() },
  });
  // pharmacy_c's orders are pharmacy_a's.
  const at = (id: string) => `/_sandbox/pharmacies/pharmacy_c/orders/${id}`;
  const good = {
    hold: { id: 'h', code: 'S' },
    release: { id: 'h' },
    status: { status: 'shipped', silent: true },
    cancellation: { answer: 'deny' },
  };
  for (const [what, json] of Object.entries(good)) {
    const known = at((body as { caseId: string }).caseId);
    expect((await sandbox.call(`${known}/${what}`, { json })).status).toBe(200);
    expect((await sandbox.call(`${known}/${what}`, { json: { ...json, more: 1 } })).status).toBe(400);
    expect((await sandbox.call(`${known}/${what}`, { json: {} })).status).toBe(400);
    expect((await sandbox.call(`${at('nobody')}/${what}`, { json })).status).toBe(404);
  }
});

test('a sandbox that starts again knows holds, answers, moves and cancellations, and their keys', async () => {
  const config = readConfig({ ...(await freshSettings()), SANDBOX_ROUTER_URL: routerUrl });
  const headers = (key: string) => ({
    'x-api-key': config.SANDBOX_PHARMACY_A_API_KEY,
    'idempotency-key': key,
  });
  const first = await startSandbox(config);
  const place = async (key: string) => {
    const { body } = await call(`${first.url}/pharmacy-a/orders`, { json: orderA(), headers: headers(key) });
    return (body as { caseId: string }).caseId;
  };
  const [held, cancelled, told] = [await place('1'), await place('2'), await place('3')];
  const control = (id: string, what: string, json: object) =>
    call(`${first.url}/_sandbox/pharmacies/pharmacy_a/orders/${id}/${what}`, { json });
  const answer = (url: string) =>
    call(`${url}/pharmacy-a/orders/${held}/holds/h/answer`, {
      json: { answer: 'proceed' },
      headers: headers('a'),
    });
  const cancel = (url: string, id: string, key: string) =>
    call(`${url}/pharmacy-a/orders/${id}/cancel`, { json: {}, headers: headers(key) });
  await control(held, 'status', { status: 'processing' });
  await control(held, 'hold', { id: 'h', code: 'S' });
  await control(held, 'release', { id: 'early' });
  await answer(first.url);
  await cancel(first.url, cancelled, 'c');
  await control(told, 'cancellation', { answer: 'deny', reason: 'call-us' });
  const before = (await call(`${first.url}/_sandbox/orders`)).body;
  await first.close();

  const second = await startSandbox(config);
  try {
    expect((await call(`${second.url}/_sandbox/orders`)).body).toEqual(before);
    expect((await answer(second.url)).status).toBe(200);
    expect((await cancel(second.url, cancelled, 'c')).body).toMatchObject({ cancellation: 'approved' });
    expect((await cancel(second.url, told, 'd')).body).toMatchObject({ reason: 'call-us' });
    const status = `${second.url}/_sandbox/pharmacies/pharmacy_a/orders/${cancelled}/status`;
    expect((await call(status, { json: { status: 'shipped' } })).status).toBe(409);
    expect((await call(`${second.url}/_sandbox/orders`)).body).toEqual(before);
  } finally {
    await second.close();
  }
});
