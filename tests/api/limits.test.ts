import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DevJson } from '../../dev/dev-json.js';
import { createSql } from '../../db/client.js';
import { sign, signedHeadersV2 } from '../../platform/crypto/signature.js';
import type { ServiceName } from '../../platform/service-names.js';
import { call, eventually, patientIn, shared } from '../helpers/client.js';
import { type SecondApi, startSecondApi } from '../helpers/second-api.js';
import { approve, endedRun, semaglutideFor } from './orchestrator/approvals.js';

const dev = shared();
const limit = 3;
let api: SecondApi;
let limited: DevJson;
beforeAll(async () => {
  const settings = {
    RATE_LIMIT_UNVERIFIED_PER_MINUTE: String(limit),
    RATE_LIMIT_PER_KEY_PER_MINUTE: String(limit),
    RATE_LIMIT_CARD_SESSIONS_PER_MINUTE: '1',
    RATE_LIMIT_CODES_PER_MINUTE: String(limit),
    APPROVE_ANSWER_WITHIN_MS: '1',
  };
  api = await startSecondApi(dev, ['router', 'orchestrator', 'intake', 'worklist'], settings);
  limited = { ...dev, services: { ...dev.services, ...api.services } };
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

test('429: a second session for cards of one address within a minute, and a payment link counts for itself', async () => {
  const ask = (path: string, body: object) => post(`${api.services.intake}${path}`, {}, JSON.stringify(body));
  // This gateway has no payment processor, so the test counts attempts, whatever their result.
  expect((await ask('/payment-intent', {})).body).toMatchObject({ error: 'Failed to create payment intent' });
  expect(await ask('/payment-intent', {})).toMatchObject({
    status: 429,
    body: { error: 'Too many requests' },
  });
  expect((await ask('/pay/session', { token: 'guess' })).status).toBe(400);
});

test.each<[ServiceName, string, number]>([
  ['intake', '/verify-email/send', 4],
  ['intake', '/verify-email/check', 4],
  ['intake', '/validate-coupon', 4],
  ['intake', '/payment-intent', 4],
  ['intake', '/save-payment-info', 4],
  ['intake', '/pay', 4],
  ['intake', '/pay/session', 4],
  ['intake', '/submit', 256],
  ['organization', '/v1/auth/otp/send', 4],
  ['organization', '/v1/auth/otp/check', 4],
  ['organization', '/v1/auth/exchange', 4],
  ['worklist', '/v1/auth/otp/send', 4],
  ['worklist', '/v1/auth/otp/check', 4],
  ['worklist', '/v1/auth/exchange', 4],
])('413: anybody’s body at %s %s over %i KiB, whether it says its length or not (D159)', async (...route) => {
  const [service, path, kibibytes] = route;
  const url = dev.services[service] + path;
  const sent = (length: number) => `{"x":"${'x'.repeat(length - 8)}"}`;
  expect((await post(url, {}, sent(kibibytes * 1024))).status).not.toBe(413);
  expect((await post(url, {}, sent(kibibytes * 1024 + 1))).status).toBe(413);
  const parts = new Blob([sent(kibibytes * 1024 + 1)]).stream();
  const headers = { 'content-type': 'application/json' };
  const unsaid = await fetch(url, { method: 'POST', headers, body: parts, duplex: 'half' });
  expect(unsaid.status).toBe(413);
});

test('429: a request of anybody counts although it ends in 400 (D159)', async () => {
  const ask = () => post(`${api.services.worklist}/v1/auth/otp/send`, {}, '{');
  for (let n = 0; n < limit; n += 1) expect((await ask()).status).toBe(400);
  expect((await ask()).status).toBe(429);
});

describe('the limit of a key', () => {
  /** The headers of one more request: limit, remainder, and whether they name the minute's end. */
  async function ask(key: string) {
    const { status, headers, body } = await call(limited, 'router', {
      key,
      path: '/rx/prescriptions?limit=1',
    });
    const [max, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
      headers.get(`ratelimit-${name}`),
    );
    return { status, headers, body, told: [max, remaining], reset: Number(reset) };
  }

  test('is the configured one where it has none of its own: 200 with RateLimit-* headers up to it, then 429', async () => {
    for (let n = 1; n <= limit; n += 1) {
      const { status, told, reset } = await ask('clinic');
      expect([status, told]).toEqual([200, [String(limit), String(limit - n)]]);
      expect(reset).toBeGreaterThan(0);
      expect(reset).toBeLessThanOrEqual(60);
    }
    const { status, headers, body, told } = await ask('clinic');
    expect([status, body, told]).toEqual([429, { error: 'Too many requests' }, [String(limit), '0']]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);

    // A request beyond the limit stores nothing, its nonce included.
    const { key: keyId, secret } = dev.apiKeys['clinic']!;
    const path = '/rx/prescriptions?limit=1';
    const signed = signedHeadersV2({ keyId, secret }, { method: 'GET', path }, '');
    expect((await fetch(api.services.router + path, { headers: signed })).status).toBe(429);
    const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
    expect(await sql`select from access.nonce where nonce = ${signed['x-nonce']!}`).toEqual([]);
    await sql.end();
  });

  test('counts each key for itself', async () => {
    expect(await ask('clinic_b')).toMatchObject({ status: 200, told: [String(limit), String(limit - 1)] });
  });

  test('counts verified requests only: refused ones use nothing up', async () => {
    for (let n = 0; n < limit; n += 1) {
      const headers = { 'x-signature': 'f'.repeat(64) };
      const path = '/orchestrator/runs?limit=1';
      await call(limited, 'orchestrator', { key: 'admin', path, headers });
    }
    const answer = await call(limited, 'orchestrator', { key: 'admin', path: '/orchestrator/runs?limit=1' });
    expect([answer.status, answer.headers.get('ratelimit-remaining')]).toEqual([200, String(limit - 1)]);
  });

  test('that is 0 refuses nothing, and no header tells of a limit', async () => {
    for (let n = 0; n <= limit; n += 1)
      expect(await ask('orchestrator')).toMatchObject({ status: 200, told: [null, null] });
  });
});

test('POST /orchestrator/approve: 202 for a run that takes longer than a caller should wait, which goes on', async () => {
  const approval = semaglutideFor(patientIn(dev, 'NY'));
  const { status, body } = await approve(limited, approval);
  expect([status, body]).toEqual([
    202,
    {
      taskId: approval.taskId,
      runId: expect.any(String),
      statusUrl: `${limited.services.orchestrator}/orchestrator/status/${approval.taskId}`,
    },
  ]);
  const run = await eventually(() => endedRun(dev, approval.taskId));
  expect(run).toMatchObject({ id: body.runId, status: 'completed' });
});
