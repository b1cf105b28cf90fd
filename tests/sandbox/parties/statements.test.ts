import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { startSandbox } from '../../../sandbox/app.js';
import { readConfig } from '../../../sandbox/config.js';
import { call, freshSettings, orderA, orderB, useSandbox } from '../helpers.js';

const sandbox = useSandbox();
const today = () => new Date().toISOString().slice(0, 10);
const range = (from = today(), to = today()) => `from=${from}&to=${to}`;
const statement = (pharmacy: string, query = range()) =>
  sandbox.call(`/_sandbox/pharmacies/${pharmacy}/statement?${query}`);

async function orderedAtA(sku: string, path = '/pharmacy-a/orders'): Promise<string> {
  const { body } = await sandbox.call(path, {
    json: orderA({ sku }),
    headers: { 'x-api-key': sandbox.config().SANDBOX_PHARMACY_A_API_KEY, 'idempotency-key': randomUUID() },
  });
  return (body as { caseId: string }).caseId;
}
const move = (pharmacy: string, orderId: string, status: string) =>
  sandbox.call(`/_sandbox/pharmacies/${pharmacy}/orders/${orderId}/status`, {
    json: { status, silent: true },
  });
const setPrice = (pharmacy: string, json: object) =>
  sandbox.call(`/_sandbox/pharmacies/${pharmacy}/prices`, { json });

test('bills the orders that were shipped in those days, oldest first, at the usual price or the one that was set', async () => {
  const article = 'Vial, "large"';
  await sandbox.call('/_sandbox/pharmacies/pharmacy_a/articles', { json: { article } });
  const [waiting, usual, dear, done, tested] = [
    await orderedAtA('12565'),
    await orderedAtA('12565'),
    await orderedAtA(article),
    await orderedAtA('12850'),
    await orderedAtA('12565', '/pharmacy-a/test/orders'),
  ];
  await move('pharmacy_a', waiting, 'processing');
  for (const [orderId, status] of [
    [dear, 'shipped'],
    [usual, 'shipped'],
    [usual, 'delivered'],
    [done, 'delivered'],
    [tested, 'shipped'],
  ] as const)
    expect((await move('pharmacy_a', orderId, status)).status).toBe(200);
  expect(await setPrice('pharmacy_c', { article, cents: 12_345 })).toMatchObject({
    status: 200,
    body: { prices: [{ article, cents: 12_345 }] },
  });

  const line = (pharmacyOrderId: string, amountCents: number, description: string) => ({
    pharmacyOrderId,
    amountCents,
    shippedOn: today(),
    description,
  });
  const lines = [line(dear, 12_345, article), line(usual, 8_000, '12565'), line(done, 8_000, '12850')];
  expect((await statement('pharmacy_a')).body).toEqual({ from: today(), to: today(), lines });
  expect((await statement('pharmacy_c')).body).toMatchObject({ lines });
  expect((await statement('pharmacy_a', range('2020-01-01', '2020-12-31'))).body).toMatchObject({
    lines: [],
  });

  const csv = await statement('pharmacy_a', `${range()}&format=csv`);
  expect([csv.headers.get('content-type'), csv.body]).toEqual([
    'text/csv; charset=utf-8',
    [
      'pharmacyOrderId,amountCents,shippedOn,description',
      `${dear},12345,${today()},"Vial, ""large"""`,
      `${usual},8000,${today()},12565`,
      `${done},8000,${today()},12850`,
      '',
    ].join('\r\n'),
  ]);
});

test('bills pharmacy_b’s orders by catalog item once they are in transit', async () => {
  const { SANDBOX_PHARMACY_B_CLIENT_ID: id, SANDBOX_PHARMACY_B_CLIENT_SECRET: secret } = sandbox.config();
  const { body: token } = await sandbox.call('/pharmacy-b/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  });
  const { access_token: bearer } = token as { access_token: string };
  const { body } = await sandbox.call('/pharmacy-b/prescriptions', {
    json: orderB(),
    headers: { authorization: `Bearer ${bearer}`, 'idempotency-key': randomUUID() },
  });
  const { tracking_id: orderId } = body as { tracking_id: string };
  await setPrice('pharmacy_b', { article: 'PB-SEMA-5', cents: 0 });
  await move('pharmacy_b', orderId, 'in-transit');
  expect((await statement('pharmacy_b')).body).toMatchObject({
    lines: [{ pharmacyOrderId: orderId, amountCents: 0, description: 'PB-SEMA-5' }],
  });
});

test('refuses days and prices that are none', async () => {
  for (const query of ['', 'from=2026-01-01', 'from=yesterday&to=2026-01-01', `${range()}&format=xml`])
    expect((await statement('pharmacy_a', query)).status).toBe(400);
  for (const json of [{ article: '12565' }, { article: '12565', cents: -1 }, { cents: 1 }])
    expect((await setPrice('pharmacy_a', json)).status).toBe(400);
});

test('knows the prices again after a restart', async () => {
  const config = readConfig(await freshSettings());
  const prices = [{ article: '12565', cents: 9_000 }];
  const first = await startSandbox(config);
  await call(`${first.url}/_sandbox/pharmacies/pharmacy_a/prices`, { json: prices[0] });
  await first.close();
  const second = await startSandbox(config);
  expect((await call(`${second.url}/_sandbox/pharmacies/pharmacy_a/prices`)).body).toEqual({ prices });
  await second.close();
});
