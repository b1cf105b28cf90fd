import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { orderA, orderB, useSandbox, type Answer } from '../helpers.js';

const sandbox = useSandbox({ SANDBOX_PHARMACY_B_TOKEN_TTL_SECONDS: '1' });

const orders = async (
  pharmacy: string,
  idempotencyKey: string,
): Promise<{ orderId: string; test: boolean }[]> => {
  const { body } = await sandbox.call(`/_sandbox/orders?pharmacy=${pharmacy}`);
  return (body as { orders: { orderId: string; idempotencyKey: string; test: boolean }[] }).orders.filter(
    (order) => order.idempotencyKey === idempotencyKey,
  );
};

describe('pharmacy_a', () => {
  const send = (json: unknown, key: string, path = '/pharmacy-a/orders'): Promise<Answer> =>
    sandbox.call(path, {
      json,
      headers: { 'x-api-key': sandbox.config().SANDBOX_PHARMACY_A_API_KEY, 'idempotency-key': key },
    });

  test('refuses a used key with another order', async () => {
    const key = randomUUID();
    await send(orderA(), key);
    expect(await send(orderA({ quantity: 3 }), key)).toMatchObject({
      status: 409,
      body: { error: expect.any(String) },
    });
    expect(await orders('pharmacy_a', key)).toHaveLength(1);
  });

  test('refuses a wrong key, an unknown SKU, a missing Idempotency-Key and missing fields, naming only fields', async () => {
    expect(await sandbox.call('/pharmacy-a/orders', { json: orderA() })).toMatchObject({ status: 401 });
    expect(await send(orderA({ sku: 'UNKNOWN_SKU' }), randomUUID())).toMatchObject({
      status: 422,
      body: { error: 'Unknown SKU' },
    });
    expect(await send(orderA(), '')).toMatchObject({ status: 400 });
    const { status, body } = await send(
      orderA({ sig: '', patient: { firstName: 'Secretname' } }),
      randomUUID(),
    );
    expect(status).toBe(422);
    expect(body).toEqual({
      error: 'Missing or invalid fields: sig, patient.lastName, patient.dob, patient.gender, patient.phone',
    });
  });

  test('takes orders for an article that was added, also through pharmacy_c and for test orders', async () => {
    const article = randomUUID();
    const path = '/_sandbox/pharmacies/pharmacy_c/articles';
    const articles = ['12565', '12850', '12832', article];
    for (let time = 0; time < 2; time += 1)
      expect(await sandbox.call(path, { json: { article } })).toMatchObject({
        status: 200,
        body: { articles },
      });
    expect((await sandbox.call('/_sandbox/pharmacies/pharmacy_a/articles')).body).toEqual({ articles });
    for (const path of ['/pharmacy-a/orders', '/pharmacy-a/test/orders'])
      expect((await send(orderA({ sku: article }), randomUUID(), path)).status).toBe(201);
  });

  test('keeps test orders apart, with keys of their own', async () => {
    const key = randomUUID();
    const live = await send(orderA(), key);
    const trial = await send(orderA({ quantity: 9 }), key, '/pharmacy-a/test/orders');
    expect([live.status, trial.status]).toEqual([201, 201]);
    expect((await orders('pharmacy_a', key)).map((order) => order.test).sort()).toEqual([false, true]);
    const [recorded] = (await sandbox.requests('pharmacy_a')).filter(
      ({ path }) => path === '/pharmacy-a/test/orders',
    );
    expect(recorded).toMatchObject({ operation: 'order', test: true, status: 201, body: { quantity: 9 } });
  });
});

describe('pharmacy_b', () => {
  const tokenAt = (base: string, init?: RequestInit): Promise<Answer> =>
    sandbox.call(`${base}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: sandbox.config().SANDBOX_PHARMACY_B_CLIENT_ID,
        client_secret: sandbox.config().SANDBOX_PHARMACY_B_CLIENT_SECRET,
      }),
      ...init,
    });
  const newToken = async (base = '/pharmacy-b'): Promise<string> =>
    ((await tokenAt(base)).body as { access_token: string }).access_token;
  const send = (json: unknown, key: string, token: string, base = '/pharmacy-b'): Promise<Answer> =>
    sandbox.call(`${base}/prescriptions`, {
      json,
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
    });

  test('gives a token for credentials in the form or in Basic authentication, and none for wrong ones', async () => {
    expect(await tokenAt('/pharmacy-b')).toMatchObject({
      status: 200,
      body: { access_token: expect.any(String), token_type: 'Bearer', expires_in: 1 },
    });
    const { SANDBOX_PHARMACY_B_CLIENT_ID: id, SANDBOX_PHARMACY_B_CLIENT_SECRET: secret } = sandbox.config();
    const basic = (text: string) => ({
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
      headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` },
    });
    expect((await tokenAt('/pharmacy-b', basic(`${id}:${secret}`))).status).toBe(200);
    expect(await tokenAt('/pharmacy-b', basic(`${id}:guess`))).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  test('takes a prescription once per key', async () => {
    const key = randomUUID();
    const token = await newToken();
    const first = await send(orderB(), key, token);
    expect(first).toMatchObject({
      status: 201,
      body: { tracking_id: expect.any(String), status: 'received' },
    });
    expect((await send(orderB(), key, token)).body).toEqual(first.body);
    expect((await send(orderB({ refills: 0 }), key, token)).status).toBe(409);
    expect(await orders('pharmacy_b', key)).toHaveLength(1);
  });

  test('refuses a token once it has expired', async () => {
    const token = await newToken();
    let answer = await send(orderB(), randomUUID(), token);
    expect(answer.status).toBe(201);
    while (answer.status === 201) answer = await send(orderB(), randomUUID(), token);
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
  });

  test('keeps tokens of the test variant apart', async () => {
    const key = randomUUID();
    expect((await send(orderB(), key, await newToken('/pharmacy-b/test'))).status).toBe(401);
    expect((await send(orderB(), key, await newToken('/pharmacy-b/test'), '/pharmacy-b/test')).status).toBe(
      201,
    );
    expect(await orders('pharmacy_b', key)).toMatchObject([{ test: true }]);
  });

  test('refuses an unknown catalog item and a body without its fields', async () => {
    expect(await send(orderB({ catalogId: 'PB-NONE' }), randomUUID(), await newToken())).toMatchObject({
      status: 422,
      body: { error: 'Unknown catalog item' },
    });
    expect(await send({}, randomUUID(), await newToken())).toMatchObject({
      status: 422,
      body: { error: expect.stringMatching(/^Missing or invalid fields: reference, catalogId/) },
    });
  });
});
