import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { orderA, orderB, useSandbox, type Answer } from './helpers.js';

const sandbox = useSandbox();

type Headers = Record<string, string>;

/** One pharmacy in its own words: where its calls are and how its answers name things. */
interface Words {
  pharmacy: string;
  list: string;
  query: string;
  place: (reference: string) => object;
  credentials: (base: string) => Promise<Headers>;
  base: string;
  path: string;
  id: string;
  shown: (order: {
    id: string;
    reference: string;
    status: string;
    tracking?: string;
    carrier?: string;
  }) => object;
  approved: (id: string) => object;
  denied: (id: string, reason: string) => object;
  denials: { shipped: string; dispensed: string };
  change: object;
}

const pharmacies: Words[] = [
  {
    pharmacy: 'pharmacy_a',
    list: 'orders',
    query: 'externalId',
    place: (externalId) => orderA({ externalId }),
    credentials: async () => ({ 'x-api-key': sandbox.config().SANDBOX_PHARMACY_A_API_KEY }),
    base: '/pharmacy-a',
    path: '/orders',
    id: 'caseId',
    shown: ({ id, reference, status, tracking, carrier }) => ({
      caseId: id,
      externalId: reference,
      rxStatus: status,
      ...(tracking !== undefined && { trackingNumber: tracking }),
      ...(carrier !== undefined && { carrier }),
    }),
    approved: (caseId) => ({ caseId, cancellation: 'approved' }),
    denied: (caseId, reason) => ({ caseId, cancellation: 'denied', reason }),
    denials: { shipped: 'already-shipped', dispensed: 'already-dispensed' },
    change: { sig: 'inject every other week', shipTo: orderA().shipTo },
  },
  {
    pharmacy: 'pharmacy_b',
    list: 'prescriptions',
    query: 'reference',
    place: (reference) => orderB({ reference }),
    credentials: async (base) => {
      const { body } = await sandbox.call(`${base}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: sandbox.config().SANDBOX_PHARMACY_B_CLIENT_ID,
          client_secret: sandbox.config().SANDBOX_PHARMACY_B_CLIENT_SECRET,
        }),
      });
      return { authorization: `Bearer ${(body as { access_token: string }).access_token}` };
    },
    base: '/pharmacy-b',
    path: '/prescriptions',
    id: 'tracking_id',
    shown: ({ id, reference, status, tracking, carrier }) => ({
      tracking_id: id,
      reference,
      rxstatus: status,
      ...(tracking !== undefined && { trackingnumber: tracking }),
      ...(carrier !== undefined && { shippingcarrier: carrier }),
    }),
    approved: (id) => ({ tracking_id: id, result: 'approved' }),
    denied: (id, reason) => ({ tracking_id: id, result: 'denied', denial_reason: reason }),
    denials: { shipped: 'SHIPPED', dispensed: 'DISPENSED' },
    change: { directions: 'inject every other week', shipping: orderB().shipping },
  },
];

describe.each(pharmacies)('$pharmacy', (words) => {
  let live: Headers;
  beforeAll(async () => {
    live = await words.credentials(words.base);
  });
  const post = (path: string, json: object, key: string): Promise<Answer> =>
    sandbox.call(`${words.base}${words.path}${path}`, {
      json,
      headers: { ...live, ...(key && { 'idempotency-key': key }) },
    });
  const get = (path: string): Promise<Answer> =>
    sandbox.call(`${words.base}${words.path}${path}`, { headers: live });
  const place = async (reference: string): Promise<string> => {
    const { body } = await post('', words.place(reference), randomUUID());
    return (body as Record<string, string>)[words.id] ?? '';
  };

  test('tells of an order, and finds those of a reference, the oldest first', async () => {
    const reference = randomUUID();
    const first = await place(reference);
    const second = await place(reference);
    const shown = [first, second].map((id) => words.shown({ id, reference, status: 'received' }));
    expect((await get(`/${first}`)).body).toEqual(shown[0]);
    expect(await get(`?${words.query}=${reference}`)).toMatchObject({ status: 200 });
    expect((await get(`?${words.query}=${reference}`)).body).toEqual({ [words.list]: shown });
    expect((await get(`?${words.query}=${randomUUID()}`)).body).toEqual({ [words.list]: [] });
    expect((await get('')).status).toBe(422);
  });

  test('knows nobody else, no order of the other variant and none that was not placed', async () => {
    const reference = randomUUID();
    const id = await place(reference);
    const elsewhere = `${words.base}/test`;
    const credentials = await words.credentials(elsewhere);
    const trial = (path: string) => sandbox.call(elsewhere + words.path + path, { headers: credentials });
    expect((await trial(`?${words.query}=${reference}`)).body).toEqual({ [words.list]: [] });
    for (const answer of [await trial(`/${id}`), await get('/nobody'), await post('/nobody/cancel', {}, 'k')])
      expect(answer).toMatchObject({ status: 404, body: { error: 'Unknown order' } });
    expect(await sandbox.call(`${words.base}${words.path}/${id}`)).toMatchObject({
      status: 401,
      body: { error: expect.any(String) },
    });
    expect((await sandbox.call(`${words.base}${words.path}/${id}/cancel`, { json: {} })).status).toBe(401);
  });

  test('cancels once, whatever is asked again, and uses up a key with its answer', async () => {
    const id = await place(randomUUID());
    const key = randomUUID();
    expect((await post(`/${id}/cancel`, {}, '')).status).toBe(400);
    expect((await post(`/${id}/cancel`, { reason: 7 }, key)).status).toBe(422);
    for (const [with_, status] of [
      [{ reason: 'moved' }, 200],
      [{ reason: 'moved' }, 200],
      [{ reason: 'other' }, 409],
    ] as const)
      expect((await post(`/${id}/cancel`, with_, key)).status).toBe(status);
    expect((await post(`/${id}/cancel`, {}, randomUUID())).body).toEqual(words.approved(id));
    const { body } = await sandbox.call(`/_sandbox/orders?pharmacy=${words.pharmacy}&limit=1`);
    expect(body).toMatchObject({
      orders: [{ orderId: id, status: 'cancelled', moves: [{ status: 'cancelled' }] }],
    });
  });
});
