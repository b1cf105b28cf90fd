import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { atOnce, call, eventually, sandbox, shared } from '../../helpers/client.js';
import { inState } from '../../helpers/prescription.js';

interface Submitted {
  submissionId: string;
  pharmacyOrderId: string;
  pharmacy: string;
}
interface Hold {
  id: string;
  code: string;
  pharmacyCode: string;
  message: string | null;
  until: string | null;
  state: string;
  openedAt: string;
  answer: string | null;
  answeredAt: string | null;
}

const dev = shared();
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(() => sql.end());

async function submitted(
  state = 'WA',
  key = 'clinic_holds',
  source = 'test',
  sourceOrderId: string = randomUUID(),
): Promise<Submitted> {
  const { status, body } = await call<Submitted>(dev, 'router', {
    key,
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body: { ...inState(state), source, sourceOrderId },
  });
  expect(status).toBe(201);
  return body;
}
const control = ({ pharmacy, pharmacyOrderId }: Submitted, what: string, body: unknown) =>
  sandbox<{ status: number }>(dev, `/pharmacies/${pharmacy}/orders/${pharmacyOrderId}/${what}`, {
    method: 'POST',
    body,
  });
async function record({ submissionId }: Submitted, key = 'clinic_holds') {
  const { body } = await call(dev, 'router', { key, path: `/rx/prescriptions/${submissionId}` });
  return body as { status: string; holds: Hold[]; amendments: unknown[] };
}
const states = async (order: Submitted) => (await record(order)).holds.map(({ id, state }) => [id, state]);
async function told({ submissionId }: Submitted): Promise<[string, Record<string, unknown>][]> {
  const rows = await sql<{ kind: string; payload: string }[]>`
    select kind, payload from router.callback where submission_id = ${submissionId} order by sequence
  `;
  return rows.map(({ kind, payload }) => [kind, JSON.parse(payload) as Record<string, unknown>]);
}
/** The states of holds that the client received. */
const toldStates = async (order: Submitted) =>
  (await told(order)).filter(([kind]) => kind === 'hold').map(([, { hold }]) => (hold as Hold).state);
const answer = ({ submissionId }: Submitted, holdId: string, body: unknown, key = 'clinic_holds') =>
  call<{ hold: Hold; error?: string }>(dev, 'router', {
    key,
    method: 'POST',
    body,
    path: `/rx/prescriptions/${submissionId}/holds/${encodeURIComponent(holdId)}/answer`,
  });
async function atPharmacy({ pharmacyOrderId }: Submitted) {
  const { orders } = await sandbox<{
    orders: { orderId: string; holds: { id: string; state: string; answer: string | null }[] }[];
  }>(dev, '/orders');
  return orders.find(({ orderId }) => orderId === pharmacyOrderId)?.holds;
}
const itemsOf = ({ submissionId }: Submitted) => sql<
  { id: string; state: string; reason: string; refersTo: object; answers: string[] }[]
>`
  select id, state, reason, refers_to, answers from router.work_item
  where kind = 'pharmacy_hold' and refers_to ->> 'submissionId' = ${submissionId}
`;
const freshHold = () => `hold-${randomUUID()}`;

describe.each([
  ['pharmacy_a', 'WA', 'out-of-stock', 'out_of_stock'],
  ['pharmacy_a', 'WA', 'prior-auth', 'prior_authorization'],
  ['pharmacy_b', 'TX', 'OS', 'out_of_stock'],
  ['pharmacy_b', 'TX', 'TOO_SOON', 'too_soon'],
  ['pharmacy_b', 'TX', 'toString', 'other'],
])('a hold of %s in %s with the word %s', (_pharmacy, state, word, code) => {
  test('stands in the record and is told, then answered, then released; the status stays', async () => {
    const order = await submitted(state);
    const id = freshHold();
    const until = '2026-12-01T00:00:00Z';
    const asked = { id, code: word, message: 'Which one?', until };
    expect((await control(order, 'hold', asked)).status).toBe(200);
    const open: Hold = {
      id,
      code,
      pharmacyCode: word,
      message: 'Which one?',
      until,
      state: 'open',
      openedAt: expect.any(String) as unknown as string,
      answer: null,
      answeredAt: null,
    };
    expect(await record(order)).toMatchObject({ status: 'submitted', holds: [open], amendments: [] });

    const { status, body } = await answer(order, id, { answer: 'proceed', text: 'Go on' });
    const answered = { ...open, state: 'answered', answer: 'proceed', answeredAt: expect.any(String) };
    expect([status, body]).toEqual([200, { hold: answered }]);
    expect(await atPharmacy(order)).toMatchObject([{ id, state: 'answered' }]);

    await control(order, 'release', { id });
    expect((await record(order)).holds).toEqual([{ ...answered, state: 'released' }]);
    expect(await told(order)).toEqual([
      ['initial', expect.anything()],
      [
        'hold',
        {
          submissionId: order.submissionId,
          sourceOrderId: expect.any(String),
          status: 'submitted',
          pharmacy: order.pharmacy,
          pharmacyOrderId: order.pharmacyOrderId,
          trackingNumber: null,
          carrier: null,
          hold: open,
        },
      ],
      ['hold', expect.objectContaining({ hold: { ...answered, state: 'released' } })],
    ]);
    expect(await itemsOf(order)).toEqual([]);
  });
});

describe('a hold', () => {
  test('is told to nobody whose key does not receive holds, and stands in the record all the same', async () => {
    const order = await submitted('WA', 'clinic');
    await control(order, 'hold', { id: 'h1', code: 'clarify-rx' });
    expect((await record(order, 'clinic')).holds).toMatchObject([{ id: 'h1', state: 'open' }]);
    expect((await told(order)).map(([kind]) => kind)).toEqual(['initial']);
  });

  test('of our own order is a work item until it is answered', async () => {
    const order = await submitted('WA', 'orchestrator', 'orchestrator');
    await control(order, 'hold', { id: 'h1', code: 'clarify-rx' });
    expect(await itemsOf(order)).toMatchObject([{ state: 'open', reason: 'clarify_prescription' }]);
    expect((await answer(order, 'h1', { answer: 'decline' }, 'orchestrator')).status).toBe(200);
    expect(await itemsOf(order)).toMatchObject([{ state: 'closed' }]);
  });

  test('of a replacement offers no reroute, and refuses one that an earlier work item offered', async () => {
    const order = await submitted('WA', 'orchestrator', 'orchestrator', `${randomUUID()}~1`);
    await control(order, 'hold', { id: 'h1', code: 'clarify-rx' });
    const [item] = await itemsOf(order);
    expect(item).toMatchObject({ answers: ['proceed', 'change', 'decline', 'cancel'] });
    await sql`update router.work_item set answers = answers || '{reroute}' where id = ${item!.id}`;
    const given = { answer: 'reroute', by: 'root@scriptrail.test', data: { pharmacy: 'pharmacy_b' } };
    const path = `/rx/work-items/${item!.id}/answer`;
    const refused = await call(dev, 'router', { key: 'worklist', method: 'POST', path, body: given });
    const reason = 'A replacement is not rerouted';
    expect([refused.status, refused.body]).toEqual([200, { state: 'refused', reason }]);
    expect(await itemsOf(order)).toMatchObject([{ state: 'open' }]);
    expect(
      await sql`
        select from router.outbox where aggregate_id = ${order.submissionId} and detail_type = 'order.reroute_asked'
      `,
    ).toEqual([]);
  });

  test('of an order that only calls itself ours is no work item', async () => {
    const order = await submitted('WA', 'clinic_holds', 'orchestrator');
    await control(order, 'hold', { id: 'h1', code: 'clarify-rx' });
    expect(await states(order)).toEqual([['h1', 'open']]);
    expect(await itemsOf(order)).toEqual([]);
  });

  test('reported again changes nothing, also after its release', async () => {
    const order = await submitted();
    const asked = { id: 'h1', code: 'clarify-rx' };
    for (let times = 0; times < 3; times += 1) expect((await control(order, 'hold', asked)).status).toBe(200);
    await control(order, 'release', { id: 'h1' });
    await control(order, 'hold', asked);
    await control(order, 'release', { id: 'h1' });
    expect([await states(order), await toldStates(order)]).toEqual([
      [['h1', 'released']],
      ['open', 'released'],
    ]);
  });

  test('whose release came first stays closed', async () => {
    const order = await submitted();
    expect((await control(order, 'release', { id: 'h1' })).status).toBe(200);
    expect(await states(order)).toEqual([]);
    await control(order, 'hold', { id: 'h1', code: 'clarify-rx' });
    expect([await states(order), await toldStates(order)]).toEqual([[['h1', 'released']], []]);
    expect((await answer(order, 'h1', { answer: 'proceed' })).status).toBe(409);
  });

  test.each(['shipped', 'delivered', 'cancelled'])(
    'is released by %s, after which none opens',
    async (status) => {
      const order = await submitted();
      await control(order, 'hold', { id: 'h1', code: 'clarify-rx' });
      await control(order, 'hold', { id: 'h2', code: 'dur-review' });
      await control(order, 'status', { status });
      await eventually(async () => (await record(order)).status === status);
      expect(await states(order)).toEqual([
        ['h1', 'released'],
        ['h2', 'released'],
      ]);
      const { pharmacyOrderId: caseId } = order;
      const late = await fetch(`${dev.services.router}/rx/webhooks/pharmacy_a`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-webhook-secret': dev.webhookSecrets.pharmacy_a },
        body: JSON.stringify({ caseId, rxStatus: 'on-hold', hold: { id: 'h3', code: 'clarify-rx' } }),
      });
      expect(late.status).toBe(200);
      expect((await states(order)).map(([id]) => id)).toEqual(['h1', 'h2']);
    },
  );

  test('is released by a cancellation that the pharmacy approves', async () => {
    const order = await submitted();
    await control(order, 'hold', { id: 'h1', code: 'clarify-rx' });
    const path = `/rx/prescriptions/${order.submissionId}/cancel`;
    expect((await call(dev, 'router', { key: 'clinic_holds', method: 'POST', path })).status).toBe(200);
    expect(await states(order)).toEqual([['h1', 'released']]);
  });

  test.each([
    ['pharmacy_a', { caseId: 'x', rxStatus: 'on-hold' }, 'hold'],
    ['pharmacy_a', { caseId: 'x', rxStatus: 'on-hold', hold: { id: 'h' } }, 'hold.code'],
    ['pharmacy_a', { caseId: 'x', rxStatus: 'hold-released', hold: { id: '' } }, 'hold.id'],
    [
      'pharmacy_a',
      { caseId: 'x', rxStatus: 'on-hold', hold: { id: 'h', code: 'c', until: 'soon' } },
      'hold.until',
    ],
    ['pharmacy_b', { tracking_id: 'x', rxstatus: 'on-hold', holdid: 'h' }, 'holdcode'],
    ['pharmacy_b', { tracking_id: 'x', rxstatus: 'hold-released' }, 'holdid'],
    [
      'pharmacy_b',
      { tracking_id: 'x', rxstatus: 'on-hold', holdid: 'h', holdcode: 'c', holdmessage: 'x'.repeat(2_001) },
      'holdmessage',
    ],
  ] as const)('400 from %s for %j: %s', async (webhook, body, field) => {
    const response = await fetch(`${dev.services.router}/rx/webhooks/${webhook}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-secret': dev.webhookSecrets[webhook] },
      body: JSON.stringify(body),
    });
    const { details } = (await response.json()) as { details: { fieldErrors: Record<string, string[]> } };
    expect([response.status, Object.keys(details.fieldErrors)]).toEqual([400, [field]]);
  });
});

describe('POST /rx/prescriptions/:id/holds/:holdId/answer', () => {
  const shipTo = {
    firstName: 'Pat',
    lastName: 'Example',
    phone: '+12025550101',
    addressLine1: '2 Oak St',
    city: 'Springfield',
    state: 'wa',
    zip: '10002',
  };
  async function held(state = 'WA', holdId = 'h1') {
    const order = await submitted(state);
    await control(order, 'hold', { id: holdId, code: state === 'WA' ? 'clarify-address' : 'ADDRESS' });
    return order;
  }

  test.each(['WA', 'TX'])('200 in %s: what is changed is kept beside the order', async (state) => {
    const order = await held(state, 'a hold / with ünusual characters');
    const id = 'a hold / with ünusual characters';
    const changes = { sig: 'inject 5 units weekly', quantity: 1, daysSupply: 15, shipTo };
    expect((await answer(order, id, { answer: 'change', changes })).status).toBe(200);
    const { amendments, holds } = await record(order);
    expect(amendments).toEqual([{ holdId: id, changes, at: holds[0]?.answeredAt }]);
    expect(holds).toMatchObject([{ answer: 'change' }]);
  });

  test('200 for the same answer again and at once, 409 for another', async () => {
    const order = await held();
    const answers = await atOnce(4, () => answer(order, 'h1', { answer: 'proceed', text: 'Yes' }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const other of [{ answer: 'decline' }, { answer: 'proceed' }])
      expect((await answer(order, 'h1', other)).status).toBe(409);
    await control(order, 'release', { id: 'h1' });
    expect((await answer(order, 'h1', { answer: 'proceed', text: 'Yes' })).body.hold.state).toBe('released');
  });

  test('200 once and 409 once for two different answers at once', async () => {
    const order = await held();
    const both = await Promise.all(
      ['proceed', 'decline'].map((word) => answer(order, 'h1', { answer: word })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const taken = both.find(({ status }) => status === 200)?.body.hold.answer;
    expect(await atPharmacy(order)).toMatchObject([{ state: 'answered', answer: taken }]);
  });

  test.each([
    { answer: 'maybe' },
    { answer: 'proceed', changes: { quantity: 1 } },
    { answer: 'change' },
    { answer: 'change', changes: {} },
    { answer: 'change', changes: { quantity: 0 } },
    { answer: 'change', changes: { shipTo: { city: 'Springfield' } } },
    { answer: 'proceed', text: 'x'.repeat(2_001) },
  ])('400 for %j', async (body) => {
    const order = await held();
    expect((await answer(order, 'h1', body)).status).toBe(400);
    expect(await states(order)).toEqual([['h1', 'open']]);
  });

  test('403 for another client’s order, 404 for an unknown hold', async () => {
    const order = await held();
    expect((await answer(order, 'h1', { answer: 'proceed' }, 'clinic_b')).status).toBe(403);
    expect(await answer(order, 'h2', { answer: 'proceed' })).toMatchObject({
      status: 404,
      body: { error: 'Hold not found' },
    });
  });

  test('409 for one that the pharmacy has released', async () => {
    const order = await held();
    await control(order, 'release', { id: 'h1' });
    expect(await answer(order, 'h1', { answer: 'proceed' })).toMatchObject({
      status: 409,
      body: { error: 'Hold is not open' },
    });
  });

  test('502 in the pharmacy’s words when it refuses, and the hold stays open for another answer', async () => {
    const order = await held();
    // The pharmacy goes by its own book: there the order is another one's.
    const lost = await submitted();
    await sql`
      update router.submission set pharmacy_order_id = ${lost.pharmacyOrderId} || '-x' where id = ${order.submissionId}
    `;
    const refused = await answer(order, 'h1', { answer: 'proceed' });
    expect(refused).toMatchObject({ status: 502, body: { error: 'Unknown order' } });
    expect(refused.headers.get('error-code')).toBe('answer_rejected');
    expect(await states(order)).toEqual([['h1', 'open']]);
    await sql`
      update router.submission set pharmacy_order_id = ${order.pharmacyOrderId} where id = ${order.submissionId}
    `;
    expect((await answer(order, 'h1', { answer: 'decline' })).body.hold).toMatchObject({ answer: 'decline' });
  });
});
