import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sign } from '../../platform/crypto/signature.js';
import { shared } from '../helpers/client.js';
import { type SecondApi, startSecondApi } from '../helpers/second-api.js';

const dev = shared();
const limit = 3;
let api: SecondApi;
beforeAll(async () => {
  const settings = { RATE_LIMIT_UNVERIFIED_PER_MINUTE: String(limit) };
  api = await startSecondApi(dev, ['router', 'orchestrator'], settings);
});
afterAll(() => api.stop());

async function post(url: string, headers: Record<string, string>, text: string) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
type Answer = Awaited<ReturnType<typeof post>>;

/** Up to the limit each request is refused for what it is, then all are for being too many. */
async function expectLimit(ask: () => Promise<Answer>, refusal: string): Promise<void> {
  for (let n = 0; n < limit; n += 1)
    expect(await ask()).toMatchObject({ status: 401, body: { error: refusal } });
  const { status, headers, body } = await ask();
  expect([status, body]).toEqual([429, { error: 'Too many requests' }]);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([String(limit), '0']);
}

test('429: the pharmacy webhooks after too many wrong secrets, for both together, and never with the right one', async () => {
  const webhook = (pharmacy: 'pharmacy_a' | 'pharmacy_b', secret: string, body: object) =>
    post(
      `${api.services.router}/rx/webhooks/${pharmacy}`,
      { 'x-webhook-secret': secret },
      JSON.stringify(body),
    );
  const unknownOrder = { status: 404, body: { error: 'Unknown order' } };
  const known = () =>
    webhook('pharmacy_a', dev.webhookSecrets.pharmacy_a, { caseId: randomUUID(), rxStatus: 'shipped' });

  for (let n = 0; n <= limit; n += 1) expect(await known()).toMatchObject(unknownOrder);
  await expectLimit(() => webhook('pharmacy_a', 'guess', {}), 'Invalid webhook secret');
  expect((await webhook('pharmacy_b', 'guess', {})).status).toBe(429);
  expect(await known()).toMatchObject(unknownOrder);
});

test('429: POST /api/pharmacy-router/callback after too many wrong signatures, and never with the right one', async () => {
  const callback = (secret: string, body: object) => {
    const timestamp = new Date().toISOString();
    const text = JSON.stringify(body);
    return post(
      `${api.services.orchestrator}/api/pharmacy-router/callback`,
      { 'x-timestamp': timestamp, 'x-signature': sign(secret, timestamp, text) },
      text,
    );
  };
  const known = () =>
    callback(dev.apiKeys['orchestrator']!.secret, {
      submissionId: randomUUID(),
      sourceOrderId: randomUUID(),
      pharmacy: 'pharmacy_a',
      pharmacyOrderId: 'case_1',
      status: 'shipped',
      trackingNumber: null,
      carrier: null,
    });
  const unknown = { status: 404, body: { error: 'Unknown submission' } };

  for (let n = 0; n <= limit; n += 1) expect(await known()).toMatchObject(unknown);
  await expectLimit(() => callback('guess', {}), 'Invalid signature');
  expect(await known()).toMatchObject(unknown);
});

test('429: a signed route after too many requests without a signature', async () => {
  const ask = () => post(`${api.services.router}/rx/prescriptions/submit`, {}, '{}');
  await expectLimit(ask, 'Missing authentication headers');
});
