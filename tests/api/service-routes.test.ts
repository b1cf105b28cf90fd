import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { createSql } from '../../db/client.js';
import { openWorkItem } from '../../db/work-items.js';
import { defaultStateDir } from '../../dev/dev-json.js';
import { loadSecrets } from '../../dev/start/secrets.js';
import { issuePaymentLink } from '../../platform/crypto/payment-link.js';
import type { ServiceName } from '../../platform/service-names.js';
import { call, callAs, eventually, sandbox, shared } from '../helpers/client.js';
import { startSecondApi } from '../helpers/second-api.js';
import { withKey } from '../cli/rx.js';
import { mailsTo } from './intake/visitors.js';
import { submissionIdOf } from './orchestrator/approvals.js';
import { booked } from './orchestrator/exceptions.js';
import { unpaid } from './orchestrator/payment-links.js';
import { shipped } from './orchestrator/replacements.js';
import { newInvited } from './organization/tenants.js';

// Routes that only our own services call; a key of scope `admin` may too.
const dev = shared();
const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
afterAll(() => sql.end());

const ask = async (service: ServiceName, path: string, body?: unknown) => {
  const answer = await call(dev, service, {
    key: 'admin',
    path,
    ...(body !== undefined && { method: 'POST', body }),
  });
  return { ...answer, code: answer.headers.get('error-code') };
};
const answered = async (...asked: Parameters<typeof ask>) => {
  const { status, body } = await ask(...asked);
  expect([asked[1], status]).toEqual([asked[1], 200]);
  return body;
};

test('the desk reads a task, its order and its patient by the ids that it has', async () => {
  const { taskId, patient } = await shipped(dev);
  const [order] = await booked(dev, taskId);
  const submissionId = submissionIdOf(dev, taskId);
  expect(await answered('orchestrator', `/orchestrator/work-items/context/${taskId}`)).toBeTruthy();
  expect(await answered('orchestrator', `/orchestrator/orders/${taskId}`)).toMatchObject({
    order: { taskId },
  });
  expect((await ask('orchestrator', `/orchestrator/orders/${randomUUID()}`)).status).toBe(404);
  expect(await answered('router', `/rx/work-items/context/${submissionId}`)).toBeTruthy();
  expect(await answered('router', '/rx/search', { q: submissionId })).toMatchObject({
    orders: [{ id: submissionId }],
  });
  const query = { q: taskId, emrPatientIds: [], orders: [] };
  expect(JSON.stringify(await answered('orchestrator', '/orchestrator/search', query))).toContain(taskId);
  expect(await answered('patients', '/desk/patients', { q: patient.id })).toHaveProperty('patients');
  expect(await answered('worklist', '/timeline', { taskIds: [taskId], submissionIds: [] })).toHaveProperty(
    'entries',
  );
  const pharmacyOrderIds = [order!.orderId];
  expect(
    JSON.stringify(
      await answered('router', '/rx/shipped-orders/find', { pharmacy: 'pharmacy_a', pharmacyOrderIds }),
    ),
  ).toContain(submissionId);
  const [from, to] = [Date.now() - 3_600_000, Date.now() + 60_000].map((at) => new Date(at).toISOString());
  await eventually(async () => {
    const path = `/rx/shipped-orders?pharmacy=pharmacy_a&shippedFrom=${from!}&shippedTo=${to!}`;
    return JSON.stringify(await answered('router', path)).includes(submissionId);
  });
});

test('a payment link is read, opened and paid for the page of the intake', async () => {
  const { taskId, token } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
  const secret = loadSecrets(defaultStateDir()).paymentLinkSecret;
  const old = await issuePaymentLink(secret, { reference: taskId, endsAt: Date.now() - 1_000 });
  const at = (step: string, body: object) => ask('orchestrator', `/orchestrator/payment-links/${step}`, body);
  for (const step of ['read', 'session', 'pay']) {
    expect(await at(step, { token: 'guess' })).toMatchObject({ status: 400, code: 'payment_link_invalid' });
    expect(await at(step, { token: old })).toMatchObject({ status: 400, code: 'payment_link_expired' });
  }
  expect((await at('read', { token })).body).toMatchObject({ owed: { amountCents: expect.any(Number) } });
  expect((await at('session', { token })).status).toBe(200);
  const paid = await at('pay', { token, paymentMethodId: 'pm_card_visa' });
  expect(paid).toMatchObject({ status: 200, body: { paid: true } });
  expect((await at('read', { token })).body).toEqual({ owed: null });
  for (const step of ['session', 'pay']) expect((await at(step, { token })).status).toBe(409);
  const session = await fetch(`${dev.services.intake}/pay/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  expect(session.status).toBe(409);
});

test('the desk reads the endpoint of a client and the books of a day', async () => {
  const client = `c-${randomUUID().slice(0, 13)}`;
  const own = await withKey(dev, client, '--scopes', 'orchestrator', '--client', client);
  const path = '/orchestrator/work-items/event-endpoint';
  const named = `${path}?client=${client}`;
  expect((await ask('orchestrator', named)).status).toBe(404);
  await call(own, 'orchestrator', {
    key: client,
    method: 'PUT',
    path: '/orchestrator/event-endpoint',
    body: { url: 'https://receiver.example/events', state: 'disabled' },
  });
  await answered('orchestrator', named);
  const date = `19${String(10 + Math.floor(Math.random() * 40))}-03-04`;
  await answered('orchestrator', '/orchestrator/closes', { date });
  await answered('orchestrator', `/orchestrator/work-items/books/${date}`);
});

test.each([
  ['router', '/rx/work-items', 'order_silent'],
  ['orchestrator', '/orchestrator/work-items', 'refund_failed'],
  ['intake', '/work-items', 'identity_mismatch'],
] as const)('an answer of a person reaches the work item of the %s', async (service, path, kind) => {
  const fact = randomUUID();
  const item = { kind, fact, reason: 'test', references: {} };
  await sql.begin((sql) => openWorkItem(sql, service, item));
  const [{ id }] = await sql<[{ id: string }]>`
    select id from ${sql(`${service}.work_item`)} where fact = ${fact}
  `;
  const answer = { answer: 'dismiss', by: 'ada@clinic.test' };
  expect(await answered(service, `${path}/${id}/answer`, answer)).toEqual({ state: 'done', reason: null });
  expect((await ask(service, `${path}/${randomUUID()}/answer`, answer)).status).toBe(404);
});

test('the desk hands a token of the identity provider on', async () => {
  const { id, email } = await newInvited();
  await sql`update organization.admin_user set is_superadmin = true where id = ${id}`;
  const token = { sub: randomUUID(), email, claims: {} };
  const { idToken } = await sandbox<{ idToken: string }>(dev, '/idp/tokens', { method: 'POST', body: token });
  const exchange = (given: object = {}, at = dev) =>
    call(at, 'organization', {
      key: 'admin',
      method: 'POST',
      path: '/desk/sign-in/exchange',
      body: { idToken, ...given, caller: { ip: '192.0.2.7', userAgent: null } },
    });
  expect((await exchange()).status).toBe(409);
  const code = await eventually(async () =>
    (await mailsTo(dev, email)).flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? []).at(0),
  );
  expect((await exchange({ code })).status).toBe(200);
  const nowhere = 'http://127.0.0.1:9';
  const at = async (settings: Record<string, string>) => {
    const second = await startSecondApi(dev, ['organization'], { ...settings, LOG_LEVEL: 'silent' });
    return { dev: { ...dev, services: { ...dev.services, ...second.services } }, stop: second.stop };
  };
  const [away, codesOnly] = await Promise.all([
    at({ ADMIN_SIGN_IN: 'provider', IDP_JWKS_URL: `${nowhere}/jwks.json` }),
    at({ ADMIN_SIGN_IN: 'codes' }),
  ]);
  const { status, headers } = await exchange({}, away.dev);
  expect([status, headers.get('error-code')]).toEqual([502, 'identity_provider_unavailable']);
  const signIn = async (there: typeof dev, step: string, body: object) => {
    const headers = { 'x-request-id': randomUUID() };
    const request = { method: 'POST', path: `/v1/auth/${step}`, body, headers };
    const { status } = await callAs(there, 'organization', undefined, request);
    const events = await sql`
      select actor, action, outcome from access.access_event where request_id = ${headers['x-request-id']}
    `;
    return [status, ...events];
  };
  const event = { action: 'session.refuse', outcome: 'refused' };
  expect(await signIn(away.dev, 'otp/send', { email })).toEqual([403]);
  expect(await signIn(away.dev, 'otp/check', { email, code: '123456' })).toEqual([
    403,
    { actor: id, ...event },
  ]);
  expect(await signIn(codesOnly.dev, 'exchange', { idToken })).toEqual([403, { actor: 'unknown', ...event }]);
  await Promise.all([away.stop(), codesOnly.stop()]);
});
