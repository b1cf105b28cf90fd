import { describe, expect, test } from '@jest/globals';
import { call, shared } from '../../helpers/client.js';
import { inState } from '../../helpers/prescription.js';

const dev = shared();

interface Order {
  submissionId: string;
  pharmacyOrderId: string;
}
async function submitted(state: string): Promise<Order> {
  const { status, body } = await call<Order>(dev, 'router', {
    key: 'clinic',
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body: inState(state),
  });
  expect(status).toBe(201);
  return body;
}
/** Posts this text with the order's id. */
async function post(webhook: 'pharmacy_a' | 'pharmacy_b', { pharmacyOrderId }: Order, text: string) {
  const response = await fetch(`${dev.services.router}/rx/webhooks/${webhook}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-secret': dev.webhookSecrets[webhook] },
    body: text.replace('<id>', pharmacyOrderId),
  });
  await response.text();
  return response.status;
}
const record = async ({ submissionId }: Order) =>
  (await call(dev, 'router', { key: 'clinic', path: `/rx/prescriptions/${submissionId}` })).body;

describe('null in a webhook counts as left out (D155)', () => {
  test.each<['pharmacy_a' | 'pharmacy_b', string, string, object]>([
    [
      'pharmacy_a',
      'WA',
      '{"caseId": "<id>", "rxStatus": "processing", "trackingNumber": null}',
      { status: 'processing', trackingNumber: null },
    ],
    [
      'pharmacy_b',
      'TX',
      '{"tracking_id": "<id>", "rxstatus": "shipped", "trackingnumber": "1Z1", "shippingcarrier": null}',
      { status: 'shipped', trackingNumber: '1Z1', carrier: null },
    ],
    [
      'pharmacy_a',
      'WA',
      '{"caseId": "<id>", "rxStatus": "on-hold", "hold": {"id": "H1", "code": "clarify-rx", "message": null, "until": null}}',
      {
        holds: [
          expect.objectContaining({ id: 'H1', code: 'clarify_prescription', message: null, until: null }),
        ],
      },
    ],
    [
      'pharmacy_a',
      'WA',
      '{"caseId": "<id>", "rxStatus": null, "hold": null}',
      { status: 'submitted', holds: [] },
    ],
    [
      'pharmacy_b',
      'TX',
      '{"tracking_id":"<id>","rxstatus":"on-hold","trackingnumber":null,"shippingcarrier":null,"holdid":"H1","holdcode":"S","holdmessage":null,"holduntil":null}',
      { holds: [expect.objectContaining({ id: 'H1', code: 'clarify_prescription' })] },
    ],
    [
      'pharmacy_b',
      'TX',
      '{"tracking_id":"<id>","rxstatus":null,"trackingnumber":"1Z1","shippingcarrier":null,"holdid":null,"holdcode":null}',
      { status: 'submitted', trackingNumber: '1Z1' },
    ],
  ])('%s in %s: %s', async (webhook, state, text, expected) => {
    const order = await submitted(state);
    expect(await post(webhook, order, text)).toBe(200);
    expect(await record(order)).toMatchObject(expected);
  });

  test('A hold without its code stays 400', async () => {
    const order = await submitted('WA');
    const text = '{"caseId":"<id>","rxStatus":"on-hold","hold":{"id":"H1","code":null}}';
    expect(await post('pharmacy_a', order, text)).toBe(400);
  });
});

describe('blanks in a webhook count as left out (D155)', () => {
  test.each<['pharmacy_a' | 'pharmacy_b', string, string, object]>([
    [
      'pharmacy_b',
      'TX',
      '{"tracking_id":"<id>","rxstatus":"shipped","trackingnumber":"1Z1","shippingcarrier":" ","holdid":"","holdcode":"","holdmessage":"","holduntil":""}',
      { status: 'shipped', trackingNumber: '1Z1', carrier: null, holds: [] },
    ],
    [
      'pharmacy_a',
      'WA',
      '{"caseId":"<id>","rxStatus":"shipped","trackingNumber":"","hold":{"id":"","code":"","message":"","until":""}}',
      { status: 'shipped', trackingNumber: null, holds: [] },
    ],
    [
      'pharmacy_a',
      'WA',
      '{"caseId":"<id>","rxStatus":"shipped","hold":""}',
      { status: 'shipped', holds: [] },
    ],
    [
      'pharmacy_b',
      'TX',
      '{"tracking_id":"<id>","rxstatus":"on-hold","holdid":"H1","holdcode":"S","holdmessage":" ","holduntil":" "}',
      { holds: [expect.objectContaining({ id: 'H1', message: null, until: null })] },
    ],
  ])('%s in %s: %s', async (webhook, state, text, expected) => {
    const order = await submitted(state);
    expect(await post(webhook, order, text)).toBe(200);
    expect(await record(order)).toMatchObject(expected);
  });

  test.each<['pharmacy_a' | 'pharmacy_b', string, string]>([
    ['pharmacy_a', 'WA', '{"caseId":"<id>","rxStatus":"on-hold","hold":{"id":" ","code":"clarify-rx"}}'],
    ['pharmacy_b', 'TX', '{"tracking_id":"<id>","rxstatus":"on-hold","holdid":"H1","holdcode":" "}'],
    ['pharmacy_b', 'TX', '{"tracking_id":"<id>","rxstatus":" ","trackingnumber":"1Z1"}'],
  ])('%s in %s is 400 where a blank is needed: %s', async (webhook, state, text) => {
    expect(await post(webhook, await submitted(state), text)).toBe(400);
  });
});

test.each(['2030-01-02', '2030-01-02T03:04:05Z', '2030-01-02T03:04:05.678+0000'])(
  'A hold may last until %s',
  async (until) => {
    const order = await submitted('WA');
    const hold = { id: 'H1', code: 'clarify-rx', until };
    const text = JSON.stringify({ caseId: '<id>', rxStatus: 'on-hold', hold });
    expect(await post('pharmacy_a', order, text)).toBe(200);
    expect(await record(order)).toMatchObject({ holds: [{ id: 'H1', until }] });
  },
);

describe('usual spellings of a status (D155)', () => {
  test.each<['pharmacy_a' | 'pharmacy_b', string, string, string]>([
    ['pharmacy_a', 'WA', 'SHIPPED', 'shipped'],
    ['pharmacy_a', 'WA', ' Delivered ', 'delivered'],
    ['pharmacy_a', 'WA', 'canceled', 'cancelled'],
    ['pharmacy_a', 'WA', 'Canceled', 'cancelled'],
    ['pharmacy_b', 'TX', 'CANCELED', 'cancelled'],
    ['pharmacy_b', 'TX', 'in transit', 'shipped'],
    ['pharmacy_b', 'TX', 'IN_TRANSIT', 'shipped'],
    ['pharmacy_b', 'TX', 'InTransit', 'shipped'],
    ['pharmacy_b', 'TX', 'Pro-cessing', 'processing'],
  ])('%s in %s says %s and means %s', async (webhook, state, said, status) => {
    const order = await submitted(state);
    const text =
      webhook === 'pharmacy_a' ? '{"caseId":"<id>","rxStatus":' : '{"tracking_id":"<id>","rxstatus":';
    expect(await post(webhook, order, `${text}${JSON.stringify(said)}}`)).toBe(200);
    expect(await record(order)).toMatchObject({ status });
  });

  test.each(['in-transit', 'in transit', 'InTransit', 'lost', ''])(
    '400 for «%s» of pharmacy_a',
    async (said) => {
      const order = await submitted('WA');
      expect(await post('pharmacy_a', order, `{"caseId":"<id>","rxStatus":"${said}"}`)).toBe(400);
      expect(await record(order)).toMatchObject({ status: 'submitted' });
    },
  );

  test('A hold opens and ends in any spelling', async () => {
    const order = await submitted('WA');
    const hold = { id: 'H1', code: 'Out Of Stock' };
    const said = (rxStatus: string) => JSON.stringify({ caseId: '<id>', rxStatus, hold });
    expect(await post('pharmacy_a', order, said('On Hold'))).toBe(200);
    const opened = { id: 'H1', code: 'out_of_stock', pharmacyCode: 'Out Of Stock', state: 'open' };
    expect(await record(order)).toMatchObject({ holds: [opened] });
    expect(await post('pharmacy_a', order, said('HOLD_RELEASED'))).toBe(200);
    expect(await record(order)).toMatchObject({ holds: [{ id: 'H1', state: 'released' }] });
  });
});

describe('parcels of an order (D155)', () => {
  const parcel = (trackingNumber: string, carrier: string | null = null) => ({
    trackingNumber,
    carrier,
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });

  test('A second parcel stays beside the first, and the record shows the newest', async () => {
    const order = await submitted('WA');
    expect(await record(order)).toMatchObject({ trackingNumber: null, parcels: [] });
    const [first, second] = ['1Z999AA10123456784', '1Z999AA10123456793'] as const;
    const shipped = (trackingNumber: string) =>
      `{"caseId": "<id>", "rxStatus": "shipped", "trackingNumber": "${trackingNumber}"}`;
    for (const number of [first, second, first])
      expect(await post('pharmacy_a', order, shipped(number))).toBe(200);
    const parcels = [parcel(first), parcel(second)];
    expect(await record(order)).toMatchObject({ status: 'shipped', trackingNumber: second, parcels });
    const { body } = await call<{ prescriptions: { id: string; parcels: object[] }[] }>(dev, 'router', {
      key: 'clinic',
      path: '/rx/prescriptions?limit=200',
    });
    expect(body.prescriptions.find(({ id }) => id === order.submissionId)?.parcels).toEqual(parcels);
    const { body: sent } = await call<{ callbacks: { kind: string; payload: object }[] }>(dev, 'router', {
      key: 'clinic',
      path: `/rx/prescriptions/${order.submissionId}/callbacks`,
    });
    expect(
      sent.callbacks.filter(({ kind }) => kind === 'update').map(({ payload }) => payload),
    ).toMatchObject([{ trackingNumber: first }, { trackingNumber: second }]);
  });

  test('A blank number is no parcel, and blanks around one make no other', async () => {
    const order = await submitted('TX');
    for (const trackingnumber of [' ', '1Z1', ' 1Z1 '])
      expect(
        await post(
          'pharmacy_b',
          order,
          JSON.stringify({ tracking_id: '<id>', rxstatus: 'shipped', trackingnumber }),
        ),
      ).toBe(200);
    expect(await record(order)).toMatchObject({ trackingNumber: '1Z1', parcels: [parcel('1Z1')] });
  });

  test('None is added after a final status, and a carrier in another spelling is no news', async () => {
    const order = await submitted('TX');
    const said = (rest: object) => JSON.stringify({ tracking_id: '<id>', ...rest });
    const first = { trackingnumber: '1Z1', shippingcarrier: 'FedEx' };
    for (const rest of [
      { rxstatus: 'shipped', ...first },
      { rxstatus: 'shipped', ...first, shippingcarrier: 'fed ex' },
      { rxstatus: 'delivered' },
      { rxstatus: 'shipped', trackingnumber: '1Z2' },
    ])
      expect(await post('pharmacy_b', order, said(rest))).toBe(200);
    expect(await record(order)).toMatchObject({
      status: 'delivered',
      trackingNumber: '1Z1',
      carrier: 'FedEx',
      parcels: [parcel('1Z1', 'FedEx')],
    });
  });
});
