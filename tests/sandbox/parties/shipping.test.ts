import { createHmac, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { useSandbox, type Answer } from '../helpers.js';

const sandbox = useSandbox();

const shipment = (over: object = {}) => ({
  reference: 'task-1',
  pharmacy: 'pharmacy_c',
  pharmacyOrderId: 'case_1',
  recipient: {
    name: 'Ada Test',
    phone: '5551230000',
    line1: '1 Main St',
    city: 'Albany',
    state: 'NY',
    zip: '12201',
  },
  kind: 'label',
  ...over,
});

function send(body: object, { key = randomUUID(), at = new Date(), secret = '' } = {}): Promise<Answer> {
  const { SANDBOX_SHIPPING_API_KEY: apiKey, SANDBOX_SHIPPING_API_SECRET: ownSecret } = sandbox.config();
  const text = JSON.stringify(body);
  const timestamp = at.toISOString();
  return sandbox.call('/shipping/shipments', {
    method: 'POST',
    body: text,
    headers: {
      'content-type': 'application/json',
      'x-api-key': apiKey,
      'x-timestamp': timestamp,
      'x-signature': createHmac('sha256', secret || ownSecret)
        .update(`${timestamp}.${text}`)
        .digest('hex'),
      'idempotency-key': key,
    },
  });
}

test('makes one shipment per key and refuses the key for another one', async () => {
  const key = randomUUID();
  const first = await send(shipment(), { key });
  expect(await send(shipment(), { key })).toMatchObject({ status: 201, body: first.body });
  expect((await send(shipment({ reference: 'task-2' }), { key })).status).toBe(409);
});

test('refuses a wrong signature, an old time stamp and a body without its fields', async () => {
  expect((await send(shipment(), { secret: 'guess' })).status).toBe(401);
  expect((await send(shipment(), { at: new Date(Date.now() - 6 * 60_000) })).status).toBe(401);
  expect((await send({}, {})).status).toBe(422);
});

interface Listed {
  shipmentId: string;
  reference: string;
  createdAt: string;
}
const byHand = async (json: object): Promise<{ status: number; shipment: Listed }> => {
  const { status, body } = await sandbox.call('/_sandbox/shipping/shipments', { json });
  return { status, shipment: (body as { shipment: Listed }).shipment };
};
function list(query: Record<string, string>, signed = '{}') {
  const { SANDBOX_SHIPPING_API_KEY: apiKey, SANDBOX_SHIPPING_API_SECRET: secret } = sandbox.config();
  const timestamp = new Date().toISOString();
  const signature = createHmac('sha256', secret).update(`${timestamp}.${signed}`).digest('hex');
  return sandbox.call(`/shipping/shipments?${new URLSearchParams(query).toString()}`, {
    headers: { 'x-api-key': apiKey, 'x-timestamp': timestamp, 'x-signature': signature },
  });
}

test('lists shipments oldest first, those made by hand too, from a time and before another, page by page', async () => {
  const hour = (n: number) => `2020-03-01T0${n}:00:00.000Z`;
  const made: Listed[] = [];
  for (const n of [3, 1, 2, 2, 4]) {
    const { status, shipment } = await byHand({
      reference: `hand-${n}`,
      pharmacy: 'pharmacy_c',
      kind: 'label',
      at: hour(n),
    });
    expect(status).toBe(200);
    expect(shipment).toEqual({
      shipmentId: expect.stringMatching(/^shp_/),
      reference: `hand-${n}`,
      kind: 'label',
      trackingNumber: expect.any(String),
      carrier: 'ups',
      createdAt: hour(n),
    });
    made.push(shipment);
  }
  const days = { from: hour(1), to: hour(4) };
  const { body } = await list(days);
  expect(body).toMatchObject({ nextCursor: null });
  const { shipments } = body as { shipments: Listed[] };
  expect(shipments.map(({ reference }) => reference)).toEqual(['hand-1', 'hand-2', 'hand-2', 'hand-3']);

  const paged: Listed[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await list({ ...days, limit: '1', ...(cursor === '' ? {} : { cursor }) });
    const page = body as { shipments: Listed[]; nextCursor: string | null };
    expect(page.shipments).toHaveLength(1);
    paged.push(...page.shipments);
    cursor = page.nextCursor;
  }
  expect(paged).toEqual(shipments);

  const before = new Date().toISOString();
  const { body: answer } = await send(shipment({ reference: 'listed' }));
  const { shipmentId, trackingNumber, carrier } = answer as Record<string, string>;
  const own = { shipmentId, reference: 'listed', kind: 'label', trackingNumber, carrier };
  expect((await list({ from: before })).body).toMatchObject({ shipments: [own], nextCursor: null });
});

test('refuses a list that is signed over anything but an empty object, and times and limits that are none', async () => {
  expect((await list({}, '')).status).toBe(401);
  expect((await list({ from: 'yesterday' })).status).toBe(422);
  expect((await list({ limit: '101' })).status).toBe(422);
  expect((await byHand({ reference: 'x', pharmacy: 'pharmacy_c', kind: 'parcel' })).status).toBe(400);
});
