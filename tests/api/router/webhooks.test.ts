import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { call, eventually, sandbox, shared } from '../../helpers/client.js';
import { inState } from '../../helpers/prescription.js';

interface Submitted {
  submissionId: string;
  pharmacyOrderId: string;
}
type Webhook = 'pharmacy_a' | 'pharmacy_b';
type Body = Record<string, unknown>;

const dev = shared();
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(() => sql.end());

async function submitted(state: string): Promise<Submitted> {
  const { status, body } = await call<Submitted>(dev, 'router', {
    key: 'clinic',
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body: inState(state),
  });
  expect(status).toBe(201);
  return body;
}
async function post(webhook: Webhook, body: Body | string, headers: Record<string, string> = {}) {
  const response = await fetch(`${dev.services.router}/rx/webhooks/${webhook}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-webhook-secret': dev.webhookSecrets[webhook],
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Body };
}
const accepted = { status: 200, body: { ok: true } };
async function record({ submissionId }: Submitted): Promise<Body> {
  const { body } = await call(dev, 'router', { key: 'clinic', path: `/rx/prescriptions/${submissionId}` });
  return body;
}
/** The updates queued for the client, without the initial callback. */
async function updates({ submissionId }: Submitted): Promise<Body[]> {
  const rows = await sql<{ payload: string }[]>`
    select payload from router.callback
    where submission_id = ${submissionId} and kind = 'update' order by sequence
  `;
  return rows.map(({ payload }) => JSON.parse(payload) as Body);
}
async function logged({ submissionId }: Submitted): Promise<string[]> {
  const rows = await sql<{ body: string }[]>`
    select body from router.webhook_log where submission_id = ${submissionId} order by id
  `;
  return rows.map(({ body }) => body);
}

describe.each<[Webhook, string, (orderId: string, status?: string, tracking?: string) => Body]>([
  ['pharmacy_a', 'WA', (caseId, rxStatus, trackingNumber) => ({ caseId, rxStatus, trackingNumber })],
  [
    'pharmacy_b',
    'TX',
    (tracking_id, rxstatus, trackingnumber) => ({ tracking_id, rxstatus, trackingnumber }),
  ],
])('POST /rx/webhooks/%s', (webhook, state, bodyOf) => {
  test.each(['processing', 'shipped', 'delivered', 'cancelled'])(
    '200 for %s: the record and one callback have it',
    async (status) => {
      const order = await submitted(state);
      expect(await post(webhook, bodyOf(order.pharmacyOrderId, status, 'T-1'))).toEqual(accepted);
      expect(await record(order)).toMatchObject({ status, trackingNumber: 'T-1' });
      expect(await updates(order)).toEqual([
        {
          submissionId: order.submissionId,
          sourceOrderId: expect.any(String),
          pharmacy: webhook,
          status,
          pharmacyOrderId: order.pharmacyOrderId,
          trackingNumber: 'T-1',
          carrier: null,
        },
      ]);
    },
  );

  test('200 and no callback for what changes nothing, each of them logged byte for byte', async () => {
    const order = await submitted(state);
    const text = ` ${JSON.stringify({ ...bodyOf(order.pharmacyOrderId, 'shipped', 'T-1'), extra: [1.5] })}\n`;
    for (let times = 0; times < 3; times += 1) expect(await post(webhook, text)).toEqual(accepted);
    expect(await updates(order)).toHaveLength(1);
    expect(await logged(order)).toEqual([text, text, text]);
  });

  test('200 for tracking alone, with a callback of the present status', async () => {
    const order = await submitted(state);
    await post(webhook, bodyOf(order.pharmacyOrderId, 'processing'));
    expect(await post(webhook, bodyOf(order.pharmacyOrderId, undefined, 'T-9'))).toEqual(accepted);
    expect(await updates(order)).toMatchObject([
      { status: 'processing', trackingNumber: null },
      { status: 'processing', trackingNumber: 'T-9' },
    ]);
  });

  test.each(['delivered', 'cancelled'])(
    '200 after %s changes the status no more, but fills missing tracking in once',
    async (final) => {
      const order = await submitted(state);
      await post(webhook, bodyOf(order.pharmacyOrderId, final));
      expect(await post(webhook, bodyOf(order.pharmacyOrderId, 'shipped', 'T-1'))).toEqual(accepted);
      expect(await post(webhook, bodyOf(order.pharmacyOrderId, 'processing', 'T-2'))).toEqual(accepted);
      expect(await record(order)).toMatchObject({ status: final, trackingNumber: 'T-1' });
      expect(await updates(order)).toMatchObject([
        { status: final, trackingNumber: null },
        { status: final, trackingNumber: 'T-1' },
      ]);
      expect(await logged(order)).toHaveLength(3);
    },
  );

  test('200 for twenty at once: one change, one callback', async () => {
    const order = await submitted(state);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(webhook, bodyOf(order.pharmacyOrderId, 'shipped', 'T-1'))),
    );
    for (const answer of answers) expect(answer).toEqual(accepted);
    expect(await updates(order)).toHaveLength(1);
    expect(await logged(order)).toHaveLength(20);
  });

  test('200 for what the pharmacy itself sends when an order moves', async () => {
    const order = await submitted(state);
    await sandbox(dev, `/pharmacies/${webhook}/orders/${order.pharmacyOrderId}/status`, {
      method: 'POST',
      body: { status: 'shipped', trackingNumber: 'T-3' },
    });
    expect(await record(order)).toMatchObject({ status: 'shipped', trackingNumber: 'T-3' });
  });

  test('401 for a wrong and for a missing secret, judged before the body', async () => {
    const refused = { status: 401, body: { error: 'Invalid webhook secret' } };
    expect(await post(webhook, '{"broken', { 'x-webhook-secret': 'wrong' })).toEqual(refused);
    expect(await post(webhook, '{}', { 'x-webhook-secret': '' })).toEqual(refused);
    const noType = { 'x-webhook-secret': 'wrong', 'content-type': 'foo' };
    expect(await post(webhook, '{}', noType)).toEqual(refused);
    const other = webhook === 'pharmacy_a' ? 'pharmacy_b' : 'pharmacy_a';
    expect(await post(webhook, '{}', { 'x-webhook-secret': dev.webhookSecrets[other] })).toEqual(refused);
  });

  test("404 for an unknown order, and for the other pharmacy's", async () => {
    const unknown = { status: 404, body: { error: 'Unknown order' } };
    expect(await post(webhook, bodyOf('no-such-order', 'shipped'))).toEqual(unknown);
    const foreign = await submitted(webhook === 'pharmacy_a' ? 'TX' : 'WA');
    expect(await post(webhook, bodyOf(foreign.pharmacyOrderId, 'shipped'))).toEqual(unknown);
    expect(await logged(foreign)).toEqual([]);
  });

  test('400 for a missing order and an unknown status, by field; for malformed JSON; 415 for another type', async () => {
    const [orderField, statusField] = Object.keys(bodyOf('x', 'y')) as [string, string];
    const { status, body } = await post(webhook, { [statusField]: 'eaten' });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: 'Validation failed',
      details: { fieldErrors: { [orderField]: [expect.any(String)], [statusField]: [expect.any(String)] } },
    });
    expect((await post(webhook, '{"a":')).status).toBe(400);
    for (const type of ['text/plain', 'foo'])
      expect((await post(webhook, '{}', { 'content-type': type })).status).toBe(415);
  });

  test('413 for a body over 1 MiB, before the secret is judged', async () => {
    const text = JSON.stringify({ ...bodyOf('x', 'shipped'), padding: 'x'.repeat(1024 * 1024) });
    const tooLarge = { status: 413, body: { error: 'Payload too large' } };
    expect(await post(webhook, text)).toEqual(tooLarge);
    expect(await post(webhook, text, { 'x-webhook-secret': 'wrong' })).toEqual(tooLarge);
  });
});

describe('what only one pharmacy says', () => {
  test('200 for in-transit of pharmacy_b, which is shipped, with its carrier', async () => {
    const order = await submitted('TX');
    const { pharmacyOrderId } = order;
    const body = { tracking_id: pharmacyOrderId, rxstatus: 'in-transit', shippingcarrier: 'UPS' };
    expect(await post('pharmacy_b', body)).toEqual(accepted);
    expect(await record(order)).toMatchObject({ status: 'shipped', carrier: 'UPS' });
  });

  test('400 for in-transit of pharmacy_a', async () => {
    expect((await post('pharmacy_a', { caseId: 'x', rxStatus: 'in-transit' })).status).toBe(400);
  });

  test('200 for an order of pharmacy_c, which pharmacy_a reports on', async () => {
    const order = await submitted('NY');
    expect(await post('pharmacy_a', { caseId: order.pharmacyOrderId, rxStatus: 'shipped' })).toEqual(
      accepted,
    );
    expect(await updates(order)).toMatchObject([{ pharmacy: 'pharmacy_c', status: 'shipped' }]);
  });

  test('and every update is in the outbox with the change it tells of', async () => {
    const order = await submitted('WA');
    await post('pharmacy_a', { caseId: order.pharmacyOrderId, rxStatus: 'shipped' });
    const shipped = await eventually(async () => {
      const rows = await sql<{ shippedAt: Date | null }[]>`
        select shipped_at from router.outbox where aggregate_id = ${order.submissionId} order by sequence
      `;
      return rows.every(({ shippedAt }) => shippedAt !== null) && rows;
    });
    expect(shipped).toHaveLength(2);
  });
});
