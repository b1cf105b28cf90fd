import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { callAs } from '../../helpers/client.js';
import { handedOn } from '../../helpers/handed-on.js';
import { type SecondApi, startSecondApi } from '../../helpers/second-api.js';
import { unpaid } from '../orchestrator/payment-links.js';
import { dev, newAdmin, newTenant } from '../organization/tenants.js';

// Routes that ask another service of ours keep the address of their caller (D161, D165).
let api: SecondApi;
let sql: Sql;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  api = await startSecondApi(dev, ['intake', 'worklist'], { TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(async () => {
  await sql.end();
  await api.stop();
});

const address = '198.51.100.77';
const headers = { 'x-forwarded-for': address, 'user-agent': 'a browser' };
const asked = new Set<string>();
const post = (service: 'intake' | 'worklist', path: string, body: unknown, token?: string) => {
  asked.add(`${service} POST ${path}`);
  return callAs({ ...dev, services: api.services }, service, token, { method: 'POST', path, body, headers });
};
const openPayPage = (token: string) => {
  asked.add('intake GET /pay');
  return fetch(`${api.services.intake}/pay?token=${token}`, { headers });
};
const eventsOf = (column: 'record' | 'actor', id: string) => sql<{ action: string; place: string }[]>`
  select action, concat(ip, ' ', user_agent) as place from access.access_event
  where ${column === 'record' ? sql`record = ${id}` : sql`actor = ${id}`}
`;

test('a payment by a link is recorded with the address of the patient', async () => {
  const { taskId, token } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
  expect((await openPayPage(token)).status).toBe(200);
  expect((await post('intake', '/pay/session', { token })).status).toBe(200);
  const paid = await post('intake', '/pay', { token, paymentMethodId: 'pm_card_visa' });
  expect(paid.body).toEqual({ paid: true, status: 'succeeded' });
  const events = await eventsOf('record', taskId);
  const placesOf = (wanted: string) =>
    events.flatMap(({ action, place }) => (action === wanted ? [place] : []));
  expect(placesOf('payment.read')).toEqual([`${address} a browser`]);
  expect(placesOf('payment.pay')).toEqual([`${address} a browser`, `${address} a browser`]);
});

test('a sign-out at the desk is recorded with the address of the admin', async () => {
  const { id, token } = await newAdmin(await newTenant(), 'org_admin');
  expect((await post('worklist', '/v1/auth/sign-out', undefined, token)).status).toBe(200);
  expect(await eventsOf('actor', id)).toContainEqual({
    action: 'session.end',
    place: `${address} a browser`,
  });
});

test.each([
  ['a wrong code', '/v1/auth/otp/check', { email: `${randomUUID()}@example.test`, code: '123456' }],
  ['a wrong token of the provider', '/v1/auth/exchange', { idToken: 'a.b.c' }],
])('%s at the desk is recorded with the address of whoever entered it', async (_what, path, body) => {
  const answer = await post('worklist', path, body);
  expect(answer.status).toBe(401);
  const requestId = answer.headers.get('x-request-id');
  const events = await sql<{ ip: string }[]>`
    select ip from access.access_event where request_id = ${requestId} and action = 'session.refuse'
  `;
  expect(events).toEqual([{ ip: address }]);
});

test('a code that is asked for at the desk is the organization service’s to send, and leaves no event', async () => {
  const body = { email: `${randomUUID()}@example.test` };
  expect((await post('worklist', '/v1/auth/otp/send', body)).status).toBe(200);
});

test('every route that hands anybody’s request on has been asked', () => {
  expect(handedOn.filter((route) => !asked.has(route))).toEqual([]);
});
