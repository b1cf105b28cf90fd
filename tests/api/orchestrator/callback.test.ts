import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { sign } from '../../../platform/crypto/signature.js';
import { atOnce, call, eventually, freshTask, sandbox, shared } from '../../helpers/client.js';
import {
  approve,
  callsTo,
  messagesTo,
  ordersOf,
  semaglutideFor,
  shipmentsOf,
  submissionIdOf,
} from './approvals.js';
import { changeInEmr, newPatient, type TestPatient } from '../../helpers/patients.js';

const dev = shared();
const url = `${dev.services.orchestrator}/api/pharmacy-router/callback`;
const { key, secret } = dev.apiKeys['orchestrator']!;

/** Posts a callback as the router signs it. */
async function post(
  body: unknown,
  headers: (text: string) => Record<string, string> = (text) => {
    const timestamp = new Date().toISOString();
    return { 'x-timestamp': timestamp, 'x-signature': sign(secret, timestamp, text) };
  },
): Promise<[number, unknown]> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers(text) },
    body: text,
  });
  return [response.status, await response.json()];
}
interface Event {
  type: string;
  data: object;
}
const accepted = [200, { ok: true }];

interface OrderOf {
  taskId: string;
  pharmacy: string;
  pharmacyOrderId: string;
  /** A callback of the router about it, as its webhook update. */
  update: (status: string, tracking?: { trackingNumber?: string; carrier?: string }) => object;
}

/** An order of a patient, placed by an approval. */
async function orderFor(patient: TestPatient, medication = 'semaglutide'): Promise<OrderOf> {
  const approval = { ...semaglutideFor(patient.id), medication };
  expect((await approve(dev, approval)).status).toBe(200);
  const { taskId } = approval;
  const [{ pharmacy, orderId } = { pharmacy: '', orderId: '' }] = await ordersOf(dev, taskId);
  const order = {
    submissionId: submissionIdOf(dev, taskId),
    sourceOrderId: taskId,
    pharmacy,
    pharmacyOrderId: orderId,
  };
  const none = { trackingNumber: null, carrier: null };
  return {
    taskId,
    pharmacy,
    pharmacyOrderId: orderId,
    update: (status, tracking) => ({ ...order, status, ...none, ...tracking }),
  };
}

/** The e-mails to a patient by subject, beyond those that the approval sent: that it is under way, and of a patient without a card what is owed. */
async function mailsTo(patient: TestPatient) {
  const messages = await messagesTo(dev, patient);
  return messages.filter(
    ({ channel, subject }) => channel === 'email' && !/approved|prescription|payment/i.test(subject ?? ''),
  );
}
const subjectsTo = async (patient: TestPatient) => (await mailsTo(patient)).map(({ subject }) => subject);
const told = (patient: TestPatient, count: number) =>
  eventually(async () => {
    const mails = await mailsTo(patient);
    return mails.length >= count && mails;
  });

describe('POST /api/pharmacy-router/callback', () => {
  test('200: shipped with tracking makes one shipment and tells the patient of the first order', async () => {
    const patient = await newPatient(dev, 'WA');
    const order = await orderFor(patient);
    expect(await shipmentsOf(dev, order.taskId)).toEqual([]);
    const shipped = order.update('shipped', { trackingNumber: '1Z999', carrier: 'fedex' });
    expect(await post(shipped)).toEqual(accepted);
    const [mail] = await told(patient, 1);
    expect(mail?.subject).toBe('Your first order has shipped');
    for (const text of [patient.name, 'Semaglutide', '1Z999', 'fedex']) expect(mail?.text).toContain(text);
    expect(await shipmentsOf(dev, order.taskId)).toHaveLength(1);
    const made = (await callsTo(dev, 'shipping')).find(
      ({ body }) => body['reference'] === submissionIdOf(dev, order.taskId),
    );
    expect(made?.body).toMatchObject({
      kind: 'tracking',
      trackingNumber: '1Z999',
      carrier: 'fedex',
      pharmacyOrderId: order.pharmacyOrderId,
    });
  });

  test('200: a parcel goes to the address that was ordered, and its patient is told, however little the EMR has by then', async () => {
    const patient = await newPatient(dev, 'WA');
    const order = await orderFor(patient);
    await changeInEmr(dev, patient, (record) => {
      delete record.gender;
      delete record.address;
      record.telecom = record.telecom!.filter(({ system }) => system === 'email');
    });
    await post(order.update('shipped', { trackingNumber: '1ZFEW' }));
    const [mail] = await told(patient, 1);
    expect(mail?.text).toContain('1ZFEW');
    const made = (await callsTo(dev, 'shipping')).find(
      ({ body }) => body['reference'] === submissionIdOf(dev, order.taskId),
    );
    expect(made?.body['recipient']).toMatchObject({
      name: patient.name,
      phone: patient.phone,
      line1: '18 Larch Lane',
      state: 'WA',
    });
  });

  test("200: the patient's next order is told with shipping_confirmation", async () => {
    const patient = await newPatient(dev, 'WA');
    const [first, second] = [await orderFor(patient), await orderFor(patient)];
    await post(first.update('shipped', { trackingNumber: '1ZA' }));
    await told(patient, 1);
    await post(second.update('shipped', { trackingNumber: '1ZB' }));
    await told(patient, 2);
    expect((await subjectsTo(patient)).sort()).toEqual([
      'Your first order has shipped',
      'Your order has shipped',
    ]);
  });

  test('200: of two orders that ship at once one is the first', async () => {
    const patient = await newPatient(dev, 'WA');
    const orders = [await orderFor(patient), await orderFor(patient, 'nad')];
    await Promise.all(orders.map((order) => post(order.update('shipped', { trackingNumber: '1Z' }))));
    await told(patient, 2);
    expect((await subjectsTo(patient)).sort()).toEqual([
      'Your first order has shipped',
      'Your order has shipped',
    ]);
  });

  test('200 for repeats, at once and later: one shipment and one mail for each parcel, and none after the end', async () => {
    const patient = await newPatient(dev, 'WA');
    const order = await orderFor(patient);
    const shipped = order.update('shipped', { trackingNumber: '1Z1', carrier: 'ups' });
    const answers = await atOnce(10, () => post(shipped));
    expect(answers).toEqual(answers.map(() => accepted));
    await told(patient, 1);
    const second = order.update('shipped', { trackingNumber: '1Z2', carrier: 'ups' });
    expect(await post(second)).toEqual(accepted);
    for (const repeat of [shipped, second, shipped]) expect(await post(repeat)).toEqual(accepted);
    // An order is followed in order: what came before this had its effects.
    await post(order.update('delivered'));
    await told(patient, 3);
    expect(await post(order.update('delivered', { trackingNumber: '1Z3' }))).toEqual(accepted);
    expect((await subjectsTo(patient)).sort()).toEqual([
      'An update on your delivery',
      'Your first order has shipped',
      'Your order was delivered',
    ]);
    const mails = await mailsTo(patient);
    for (const subject of ['An update on your delivery', 'Your order was delivered'])
      expect(mails.find((mail) => mail.subject === subject)?.text).toContain('1Z2');
    expect(await shipmentsOf(dev, order.taskId)).toHaveLength(2);
    const id = submissionIdOf(dev, order.taskId);
    const keys = (await callsTo(dev, 'shipping')).flatMap(({ body, headers }) =>
      body['reference'] === id ? [headers['idempotency-key']] : [],
    );
    expect(keys.reverse()).toEqual([`tracking:${id}`, `tracking:${id}:2`]);
  });

  test('200: a second parcel has the carrier that the pharmacy names for it, else the one of its own record', async () => {
    const patient = await newPatient(dev, 'WA');
    const order = await orderFor(patient);
    await post(order.update('shipped', { trackingNumber: '1Z1', carrier: 'Pigeon Post' }));
    await post(order.update('shipped', { trackingNumber: '1Z2' }));
    const mails = await told(patient, 2);
    const mail = mails.find(({ subject }) => subject === 'An update on your delivery');
    expect([mail?.text?.includes('1Z2'), mail?.text?.includes('Pigeon Post')]).toEqual([true, false]);
    const id = submissionIdOf(dev, order.taskId);
    const made = (await callsTo(dev, 'shipping')).filter(({ body }) => body['reference'] === id);
    expect(made.reverse().map(({ body }) => [body['trackingNumber'], body['carrier']])).toEqual([
      ['1Z1', 'Pigeon Post'],
      ['1Z2', undefined],
    ]);
    await post(order.update('delivered'));
    const delivered = await eventually(async () => {
      const path = `/orchestrator/events?taskId=${order.taskId}`;
      const { body } = await call<{ events: Event[] }>(dev, 'orchestrator', { key: 'approvals', path });
      return body.events.find(({ type }) => type === 'order.delivered');
    });
    expect(delivered.data).toMatchObject({ trackingNumber: '1Z2', carrier: 'ups' });
  });

  test('200: parcels that are named before the order ships are told of together, each once', async () => {
    const patient = await newPatient(dev, 'WA');
    const order = await orderFor(patient);
    const named = { trackingNumber: '1ZA', carrier: 'ups' };
    await post(order.update('processing', named));
    expect(await subjectsTo(patient)).toEqual([]);
    const second = { trackingNumber: '1ZB', carrier: 'ups' };
    for (const update of [order.update('shipped', second), order.update('shipped', named)])
      expect(await post(update)).toEqual(accepted);
    await post(order.update('processing', { trackingNumber: '1ZC', carrier: 'ups' }));
    await post(order.update('delivered'));
    await told(patient, 4);
    const mails = await mailsTo(patient);
    const textsOf = (about: string) =>
      mails.filter(({ subject }) => subject === about).map(({ text }) => text);
    expect(textsOf('Your first order has shipped')).toEqual([expect.stringContaining('1ZA')]);
    expect(textsOf('An update on your delivery').sort()).toEqual([
      expect.stringContaining('1ZB'),
      expect.stringContaining('1ZC'),
    ]);
    expect(await shipmentsOf(dev, order.taskId)).toHaveLength(3);
  });

  test('200: shipped without tracking tells nobody until the tracking comes', async () => {
    const patient = await newPatient(dev, 'WA');
    const order = await orderFor(patient);
    await post(order.update('shipped'));
    await post(order.update('shipped', { trackingNumber: '1ZLATE' }));
    const [mail] = await told(patient, 1);
    expect(mail?.text).toContain('1ZLATE');
    expect(await shipmentsOf(dev, order.taskId)).toHaveLength(1);
  });

  test('200: cancelled tells the patient, and a later word changes nothing', async () => {
    const patient = await newPatient(dev, 'WA');
    const order = await orderFor(patient);
    await post(order.update('cancelled'));
    const [mail] = await told(patient, 1);
    expect(mail?.subject).toBe('Your order was canceled');
    expect(mail?.text).toContain(order.taskId);
    expect(await post(order.update('shipped', { trackingNumber: '1Z' }))).toEqual(accepted);
    // Another order of the patient that ships is still the first.
    await post((await orderFor(patient)).update('shipped', { trackingNumber: '1ZB' }));
    await told(patient, 2);
    expect((await subjectsTo(patient)).sort()).toEqual([
      'Your first order has shipped',
      'Your order was canceled',
    ]);
    expect(await shipmentsOf(dev, order.taskId)).toEqual([]);
  });

  test('200: a pharmacy_c order that ships gets no second label, and the patient is told its tracking', async () => {
    const patient = await newPatient(dev, 'NY');
    const order = await orderFor(patient);
    const [label] = await shipmentsOf(dev, order.taskId);
    await post({ ...order.update('shipped'), pharmacy: 'pharmacy_c' });
    const [mail] = await told(patient, 1);
    expect(mail?.subject).toBe('Your first order has shipped');
    expect(mail?.text).toMatch(/Tracking number 1Z\w+/);
    expect(await shipmentsOf(dev, order.taskId)).toEqual([label]);
  });

  test.each(['submitted', 'failed', 'processing'])(
    '200 for the initial payload and for what changes no shipment: %s',
    async (status) => {
      const order = await orderFor(await newPatient(dev, 'WA'));
      const { trackingNumber: _t, carrier: _c, ...initial } = order.update(status) as Record<string, unknown>;
      expect(await post({ ...initial, error: null })).toEqual(accepted);
    },
  );

  test('404 for an unknown order, and for another submission of a known one', async () => {
    const order = await orderFor(await newPatient(dev, 'WA'));
    const shipped = order.update('shipped', { trackingNumber: '1Z' });
    const unknown = [404, { error: 'Unknown submission' }];
    expect(await post({ ...shipped, sourceOrderId: freshTask() })).toEqual(unknown);
    for (const submissionId of [randomUUID(), '11111111-1111-0111-0111-111111111111'])
      expect(await post({ ...shipped, submissionId })).toEqual(unknown);
    expect(await shipmentsOf(dev, order.taskId)).toEqual([]);
  });

  test.each<[string, object | string]>([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no submissionId', { submissionId: undefined }],
    ['a submissionId that is none', { submissionId: 'x' }],
    ['an unknown status', { status: 'lost' }],
    ['no sourceOrderId', { sourceOrderId: undefined }],
    ['a tracking number that is no text', { trackingNumber: 7 }],
  ])('400: %s', async (_name, change) => {
    const full = {
      submissionId: randomUUID(),
      sourceOrderId: 'task',
      pharmacy: 'pharmacy_a',
      status: 'shipped',
      pharmacyOrderId: 'x',
      trackingNumber: null,
      carrier: null,
    };
    const [status] = await post(typeof change === 'string' ? change : { ...full, ...change });
    expect(status).toBe(400);
  });

  test('415 for what is no content type, after the signature is looked at', async () => {
    const headers = (secret: string) => (text: string) => {
      const timestamp = new Date().toISOString();
      return {
        'content-type': 'foo',
        'x-timestamp': timestamp,
        'x-signature': sign(secret, timestamp, text),
      };
    };
    expect(await post({}, headers(secret))).toEqual([415, { error: 'Unsupported content type' }]);
    expect(await post({}, headers('wrong'))).toEqual([401, { error: 'Invalid signature' }]);
  });

  test('413 for a body over 1 MiB, before the signature is judged', async () => {
    const text = JSON.stringify({ padding: 'x'.repeat(1024 * 1024) });
    const tooLarge = [413, { error: 'Payload too large' }];
    expect(await post(text)).toEqual(tooLarge);
    expect(await post(text, () => ({}))).toEqual(tooLarge);
  });

  test('415 for another content type, once the signature is right', async () => {
    const as = (type: string, by: string) => (text: string) => {
      const timestamp = new Date().toISOString();
      return { 'x-timestamp': timestamp, 'x-signature': sign(by, timestamp, text), 'content-type': type };
    };
    expect(await post({}, as('text/plain', secret))).toEqual([415, { error: 'Unsupported content type' }]);
    expect(await post({}, as('text/plain', 'guess'))).toEqual([401, { error: 'Invalid signature' }]);
  });

  test('401 with the texts of every signed request', async () => {
    const now = () => new Date().toISOString();
    const signedAt = (timestamp: string, text: string, by = secret) => ({
      'x-timestamp': timestamp,
      'x-signature': sign(by, timestamp, text),
    });
    const longAgo = new Date(Date.now() - 6 * 60_000).toISOString();
    const cases: [string, (text: string) => Record<string, string>][] = [
      ['Missing authentication headers', () => ({})],
      ['Missing authentication headers', () => ({ 'x-timestamp': now() })],
      ['Missing authentication headers', () => ({ 'x-signature': 'f'.repeat(64) })],
      ['Invalid timestamp', (text) => signedAt('today', text)],
      ['Invalid timestamp', (text) => signedAt(now().replace('Z', ''), text)],
      ['Timestamp expired', (text) => signedAt(longAgo, text)],
      ['Invalid signature', (text) => signedAt(now(), `${text} `)],
      ['Invalid signature', (text) => signedAt(now(), text, dev.apiKeys['clinic']!.secret)],
      ['Invalid signature', () => ({ 'x-timestamp': now(), 'x-signature': '' })],
    ];
    for (const [error, headers] of cases) expect(await post({}, headers)).toEqual([401, { error }]);
    // The key's name is neither needed nor does it help.
    expect(await post({}, () => ({ 'x-api-key': key }))).toEqual([
      401,
      { error: 'Missing authentication headers' },
    ]);
  });
});

describe('an order that the pharmacy moves', () => {
  const move = ({ pharmacy, pharmacyOrderId }: OrderOf, body: object) =>
    sandbox(dev, `/pharmacies/${pharmacy}/orders/${pharmacyOrderId}/status`, { method: 'POST', body });

  test.each(['WA', 'TX'])(
    'tells the patient by way of the router that it has shipped and arrived (%s)',
    async (state) => {
      const patient = await newPatient(dev, state);
      const order = await orderFor(patient);
      await move(order, { status: 'shipped', trackingNumber: '1ZSBX' });
      const [mail] = await told(patient, 1);
      expect(mail?.subject).toBe('Your first order has shipped');
      expect(mail?.text).toContain('1ZSBX');
      await move(order, { status: 'delivered' });
      await told(patient, 2);
      expect(await subjectsTo(patient)).toContain('Your order was delivered');
      expect(await shipmentsOf(dev, order.taskId)).toHaveLength(1);
    },
  );
});
