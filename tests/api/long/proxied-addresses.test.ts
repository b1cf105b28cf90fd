import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { callAs } from '../../helpers/client.js';
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
const behind = (service: 'intake' | 'worklist', path: string, body: unknown, token?: string) => {
  const headers = { 'x-forwarded-for': address, 'user-agent': 'a browser' };
  return callAs({ ...dev, services: api.services }, service, token, { method: 'POST', path, body, headers });
};
const eventsOf = (column: 'record' | 'actor', id: string) => sql<{ action: string; place: string }[]>`
  select action, concat(ip, ' ', user_agent) as place from access.access_event
  where ${column === 'record' ? sql`record = ${id}` : sql`actor = ${id}`}
`;

test('a payment by a link is recorded with the address of the patient', async () => {
  const { taskId, token } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
  expect((await behind('intake', '/pay/session', { token })).status).toBe(200);
  const paid = await behind('intake', '/pay', { token, paymentMethodId: 'pm_card_visa' });
  expect(paid.body).toEqual({ paid: true, status: 'succeeded' });
  const events = await eventsOf('record', taskId);
  const places = events.filter(({ action }) => action === 'payment.pay').map(({ place }) => place);
  expect(places).toEqual([`${address} a browser`, `${address} a browser`]);
});

test('a sign-out at the desk is recorded with the address of the admin', async () => {
  const { id, token } = await newAdmin(await newTenant(), 'org_admin');
  expect((await behind('worklist', '/v1/auth/sign-out', undefined, token)).status).toBe(200);
  expect(await eventsOf('actor', id)).toContainEqual({
    action: 'session.end',
    place: `${address} a browser`,
  });
});

test('a wrong code at the desk is counted and recorded with the address of whoever entered it', async () => {
  const email = `${randomUUID()}@example.test`;
  const { status, headers } = await behind('worklist', '/v1/auth/otp/check', { email, code: '123456' });
  expect(status).toBe(401);
  const events = await sql<{ ip: string }[]>`
    select ip from access.access_event where request_id = ${headers.get('x-request-id')} and action = 'session.refuse'
  `;
  expect(events).toEqual([{ ip: address }]);
});
