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
