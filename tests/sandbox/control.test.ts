import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../sandbox/app.js';
import { readConfig, type Config } from '../../sandbox/config.js';
import { call, freshSettings, orderA, orderB } from './helpers.js';

/** Stands in for the router: keeps what it receives and answers 401 to anything without a secret. */
const received: { url: string | undefined; headers: IncomingHttpHeaders; body: unknown }[] = [];
let router: Server;
let sandbox: Sandbox;
let config: Config;

beforeAll(async () => {
  router = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      received.push({ url: request.url, headers: request.headers, body: JSON.parse(text) });
      const known = request.headers['x-webhook-secret'] !== undefined;
      response.writeHead(known ? 200 : 401, { 'content-type': 'application/json' }).end('{"ok":true}');
    });
  });
  await new Promise<void>((resolve) => router.listen(0, '127.0.0.1', resolve));
  const { port } = router.address() as AddressInfo;
  config = readConfig({ ...(await freshSettings()), SANDBOX_ROUTER_URL: `http://127.0.0.1:${port}` });
  sandbox = await startSandbox(config);
});
afterAll(async () => {
  await sandbox.close();
  router.close();
});

const headersA = () => ({ 'x-api-key': config.SANDBOX_PHARMACY_A_API_KEY, 'idempotency-key': randomUUID() });
const placeA = async (): Promise<string> => {
  const { body } = await call(`${sandbox.url}/pharmacy-a/orders`, { json: orderA(), headers: headersA() });
  return (body as { caseId: string }).caseId;
};
const placeB = async (): Promise<string> => {
  const credentials = {
    grant_type: 'client_credentials',
    client_id: config.SANDBOX_PHARMACY_B_CLIENT_ID,
    client_secret: config.SANDBOX_PHARMACY_B_CLIENT_SECRET,
  };
  const form = { method: 'POST', body: new URLSearchParams(credentials) };
  const token = (await call(`${sandbox.url}/pharmacy-b/oauth/token`, form)).body as { access_token: string };
  const { body } = await call(`${sandbox.url}/pharmacy-b/prescriptions`, {
    json: orderB(),
    headers: { authorization: `Bearer ${token.access_token}`, 'idempotency-key': randomUUID() },
  });
  return (body as { tracking_id: string }).tracking_id;
};
const move = (pharmacy: string, orderId: string, json: object) =>
  call(`${sandbox.url}/_sandbox/pharmacies/${pharmacy}/orders/${orderId}/status`, { json });

test.each(['pharmacy_a', 'pharmacy_c'])(
  'moving an order of %s sends the webhook of pharmacy_a',
  async (name) => {
    const orderId = await placeA();
    const answer = await move(name, orderId, { status: 'shipped', trackingNumber: '1Z9', carrier: 'ups' });
    expect(answer).toMatchObject({ status: 200, body: { status: 200, body: { ok: true } } });
    expect(received.at(-1)).toMatchObject({
      url: '/rx/webhooks/pharmacy_a',
      headers: {
        'x-webhook-secret': config.SANDBOX_PHARMACY_A_WEBHOOK_SECRET,
        'content-type': 'application/json',
      },
    });
    expect(received.at(-1)?.body).toEqual({ caseId: orderId, trackingNumber: '1Z9', rxStatus: 'shipped' });
  },
);

test('moving an order of pharmacy_b sends its own webhook and shows in the orders', async () => {
  const orderId = await placeB();
  await move('pharmacy_b', orderId, { status: 'in-transit', trackingNumber: 'T1', carrier: 'fedex' });
  expect(received.at(-1)?.url).toBe('/rx/webhooks/pharmacy_b');
  expect(received.at(-1)?.body).toEqual({
    tracking_id: orderId,
    trackingnumber: 'T1',
    rxstatus: 'in-transit',
    shippingcarrier: 'fedex',
  });
  const { body } = await call(`${sandbox.url}/_sandbox/orders?pharmacy=pharmacy_b`);
  expect(body).toMatchObject({ orders: [{ orderId, status: 'in-transit' }] });
});

test('an unknown order, or one of another pharmacy, is not moved', async () => {
  const before = received.length;
  expect((await move('pharmacy_b', await placeA(), { status: 'shipped' })).status).toBe(404);
  expect((await move('pharmacy_a', 'case_none', { status: 'shipped' })).status).toBe(404);
  expect((await move('pharmacy_a', await placeA(), {})).status).toBe(400);
  expect(received).toHaveLength(before);
});

test('a router that does not answer is a 502 and the order has moved all the same', async () => {
  const lonely = await startSandbox(
    readConfig({ ...(await freshSettings()), SANDBOX_ROUTER_URL: 'http://127.0.0.1:1' }),
  );
  try {
    const { body } = await call(`${lonely.url}/pharmacy-a/orders`, { json: orderA(), headers: headersA() });
    const { caseId } = body as { caseId: string };
    const path = `/_sandbox/pharmacies/pharmacy_a/orders/${caseId}/status`;
    expect((await call(lonely.url + path, { json: { status: 'delivered' } })).status).toBe(502);
    const { body: after } = await call(`${lonely.url}/_sandbox/orders`);
    expect(after).toMatchObject({ orders: [{ status: 'delivered' }] });
  } finally {
    await lonely.close();
  }
});

test('requests are listed newest first, by target, with forms parsed and unknown paths, and are cleared', async () => {
  await call(`${sandbox.url}/_sandbox/requests`, { method: 'DELETE' });
  await call(`${sandbox.url}/pharmacy-b/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'x' }),
  });
  await call(`${sandbox.url}/shipping/nowhere?x=1`);
  await call(`${sandbox.url}/chat`, { json: { text: 'hello' } });

  const list = async (query = '') =>
    ((await call(`${sandbox.url}/_sandbox/requests${query}`)).body as { requests: unknown[] }).requests;
  expect(await list()).toMatchObject([
    { target: 'chat', operation: 'send', body: { text: 'hello' }, responseBody: 'ok' },
    { target: 'shipping', operation: 'unknown', path: '/shipping/nowhere?x=1', body: null, status: 404 },
    { target: 'pharmacy_b', operation: 'token', body: { grant_type: 'x' }, status: 401 },
  ]);
  expect(await list('?target=shipping')).toHaveLength(1);
  await call(`${sandbox.url}/_sandbox/requests`, { method: 'DELETE' });
  expect(await list()).toEqual([]);
});

test('the page loads nothing from elsewhere', async () => {
  const page = await call(sandbox.url);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.body).not.toMatch(/(src|href)="?(https?:)?\/\//);
});
