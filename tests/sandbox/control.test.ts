import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { orderA, useSandbox } from './helpers.js';

// Nobody listens there.
const sandbox = useSandbox({ SANDBOX_ROUTER_URL: 'http://127.0.0.1:1' });

test('a router that does not answer is a 502 and the order has moved all the same; an unknown one is a 404', async () => {
  const { body } = await sandbox.call('/pharmacy-a/orders', {
    json: orderA(),
    headers: { 'x-api-key': sandbox.config().SANDBOX_PHARMACY_A_API_KEY, 'idempotency-key': randomUUID() },
  });
  const { caseId } = body as { caseId: string };
  const move = (orderId: string) =>
    sandbox.call(`/_sandbox/pharmacies/pharmacy_a/orders/${orderId}/status`, {
      json: { status: 'delivered' },
    });
  expect((await move(caseId)).status).toBe(502);
  expect((await move('case_none')).status).toBe(404);
  const { body: after } = await sandbox.call('/_sandbox/orders');
  expect(after).toMatchObject({ orders: [{ status: 'delivered' }] });
});

test('requests are listed newest first, by target, with forms parsed and unknown paths, and are cleared', async () => {
  await sandbox.call(`/_sandbox/requests`, { method: 'DELETE' });
  await sandbox.call(`/pharmacy-b/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'x' }),
  });
  await sandbox.call(`/shipping/nowhere?x=1`);
  await sandbox.call(`/chat`, { json: { text: 'hello' } });

  const list = async (query = '') =>
    ((await sandbox.call(`/_sandbox/requests${query}`)).body as { requests: unknown[] }).requests;
  expect(await list()).toMatchObject([
    { target: 'chat', operation: 'send', body: { text: 'hello' }, responseBody: 'ok' },
    { target: 'shipping', operation: 'unknown', path: '/shipping/nowhere?x=1', body: null, status: 404 },
    { target: 'pharmacy_b', operation: 'token', body: { grant_type: 'x' }, status: 401 },
  ]);
  expect(await list('?target=shipping')).toHaveLength(1);
  await sandbox.call(`/_sandbox/requests`, { method: 'DELETE' });
  expect(await list()).toEqual([]);
});

test('the page loads nothing from elsewhere', async () => {
  const page = await sandbox.call('/');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.body).not.toMatch(/(src|href)="?(https?:)?\/\//);
});
