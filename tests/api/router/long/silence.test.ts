import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import { noteSilence } from '../../../../db/router/silence.js';
import { call, eventually, sandbox, shared } from '../../../helpers/client.js';
import { inState, named } from '../../../helpers/prescription.js';
import { openTemporal, type TemporalView } from '../../../helpers/temporal-view.js';

interface Submitted {
  submissionId: string;
  pharmacyOrderId: string;
  pharmacy: string;
}
interface Score {
  pharmacy: string;
  orders: number;
  rejected: number;
  secondsToAccepted: { median: number | null; p95: number | null };
  secondsToShipped: { median: number | null; p95: number | null };
  secondsToDelivered: { median: number | null; p95: number | null };
  holds: Record<string, number>;
  healedByAsking: number;
}

const dev = shared();
let sql: Sql;
let temporal: TemporalView;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  temporal = await openTemporal(dev);
});
afterAll(async () => {
  await temporal.close();
  await sql.end();
});

const submit = (body: unknown) =>
  call<Submitted>(dev, 'router', {
    key: 'clinic_holds',
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body,
  });
async function submitted(state: string): Promise<Submitted> {
  const { status, body } = await submit(inState(state));
  expect(status).toBe(201);
  return body;
}
const control = ({ pharmacy, pharmacyOrderId }: Submitted, what: string, body: unknown) =>
  sandbox(dev, `/pharmacies/${pharmacy}/orders/${pharmacyOrderId}/${what}`, { method: 'POST', body });
const record = async ({ submissionId }: Submitted) =>
  (await call(dev, 'router', { key: 'clinic_holds', path: `/rx/prescriptions/${submissionId}` })).body as {
    status: string;
    trackingNumber: string | null;
    holds: { state: string }[];
  };
const logged = ({ submissionId }: Submitted) => sql<{ source: string; healed: boolean }[]>`
  select source, healed from router.webhook_log where submission_id = ${submissionId} order by id
`;
/** As if the pharmacy had said nothing of it for two days. */
const silence = ({ submissionId }: Submitted) => sql`
  update router.submission set heard_at = now() - interval '2 days', asked_at = null where id = ${submissionId}
`;
/** Checks until `look` finds something: a check that is asked for while another is under way is left out. */
const onceChecked = (look: () => Promise<boolean>) =>
  eventually(async () => {
    await temporal.client.schedule.getHandle('pharmacy-silence-check').trigger();
    return look();
  });

describe('an order of which its pharmacy says nothing (D102)', () => {
  test.each([
    ['pharmacy_a', 'WA'],
    ['pharmacy_b', 'TX'],
    ['pharmacy_c', 'NY'],
  ])('of %s in %s is asked for, and the answer counts as a webhook', async (pharmacy, state) => {
    const [silent, heard] = [await submitted(state), await submitted(state)];
    expect(silent.pharmacy).toBe(pharmacy);
    for (const order of [silent, heard])
      await control(order, 'status', { status: 'shipped', trackingNumber: 'T-1', silent: true });
    await silence(silent);
    await onceChecked(async () => (await record(silent)).status === 'shipped');
    expect(await record(silent)).toMatchObject({ trackingNumber: 'T-1' });
    expect(await logged(silent)).toEqual([{ source: 'asked', healed: true }]);
    expect([(await record(heard)).status, await logged(heard)]).toEqual(['submitted', []]);
  });

  test('of which the pharmacy gives what no text may hold is asked for all the same', async () => {
    const order = await submitted('WA');
    const trackingNumber = `T\0${'😀'.slice(0, 1)}`;
    await control(order, 'status', { status: 'shipped', trackingNumber, silent: true });
    await silence(order);
    await onceChecked(async () => (await record(order)).status === 'shipped');
    expect(await record(order)).toMatchObject({ trackingNumber: 'T\uFFFD\uFFFD' });
  });

  test('that has nothing new is heard of all the same, and not asked for again', async () => {
    const order = await submitted('WA');
    await silence(order);
    await onceChecked(async () => (await logged(order)).length > 0);
    const [row] = await sql<{ isHeard: boolean }[]>`
      select heard_at > now() - interval '1 hour' as is_heard from router.submission where id = ${order.submissionId}
    `;
    expect([row?.isHeard, await logged(order)]).toEqual([true, [{ source: 'asked', healed: false }]]);
  });

  test('and whose hold opened or was released unheard, learns of that too', async () => {
    const [asking, released] = [await submitted('WA'), await submitted('WA')];
    await control(released, 'hold', { id: 'h1', code: 'clarify-rx' });
    // The pharmacy's book has it released; nobody told us.
    await control(released, 'release', { id: 'h1' });
    await sql`update router.hold set state = 'open' where submission_id = ${released.submissionId}`;
    await control(asking, 'hold', { id: 'h2', code: 'clarify-rx' });
    await sql`delete from router.hold where submission_id = ${asking.submissionId}`;
    await silence(asking);
    await silence(released);
    await onceChecked(async () => (await record(asking)).holds[0]?.state === 'open');
    await eventually(async () => (await record(released)).holds[0]?.state === 'released');
  });
});

describe('the work item of a silent order is closed by', () => {
  const cancel = ({ submissionId }: Submitted) =>
    call(dev, 'router', {
      key: 'clinic_holds',
      method: 'POST',
      path: `/rx/prescriptions/${submissionId}/cancel`,
    });
  const itemOf = async ({ submissionId }: Submitted) => {
    const [item] = await sql<{ state: string; closedBy: string | null }[]>`
      select state, closed_by from router.work_item where kind = 'order_silent' and fact = ${submissionId}
    `;
    return item;
  };
  /** As if the last of three queries had no answer either. */
  async function unanswered({ submissionId }: Submitted): Promise<void> {
    const [row] = await sql<[{ askedAt: Date }]>`
      update router.submission set
        asked_in_vain = 2, heard_at = now() - interval '2 days', asked_at = date_trunc('milliseconds', now())
      where id = ${submissionId}
      returning asked_at
    `;
    await noteSilence(sql, { submissionId, askedAt: row.askedAt });
  }

  test.each<[string, (order: Submitted) => Promise<unknown>]>([
    ['a cancellation that the pharmacy approves', (order) => cancel(order)],
    [
      'one that it denies',
      async (order) => {
        await control(order, 'status', { status: 'shipped', trackingNumber: 'T-1', silent: true });
        return cancel(order);
      },
    ],
    [
      'an answer to a hold that it takes',
      ({ submissionId }) =>
        call(dev, 'router', {
          key: 'clinic_holds',
          method: 'POST',
          path: `/rx/prescriptions/${submissionId}/holds/h1/answer`,
          body: { answer: 'proceed' },
        }),
    ],
  ])('%s', async (_name, act) => {
    const order = await submitted('WA');
    await control(order, 'hold', { id: 'h1', code: 'clarify-rx' });
    await unanswered(order);
    expect(await itemOf(order)).toEqual({ state: 'open', closedBy: null });
    await act(order);
    expect(await itemOf(order)).toEqual({ state: 'closed', closedBy: 'system' });
  });
});

describe('GET /rx/pharmacies/scorecard', () => {
  const scorecard = (query = '', key = 'admin') =>
    call<{ from: string; to: string; pharmacies: Score[]; error?: string }>(dev, 'router', {
      key,
      path: `/rx/pharmacies/scorecard${query}`,
    });

  test('200: a row per pharmacy, of what was submitted in that time', async () => {
    const from = new Date().toISOString();
    const order = await submitted('TX');
    await control(order, 'hold', { id: 'h1', code: 'OS' });
    await control(order, 'status', { status: 'shipped' });
    await control(order, 'status', { status: 'delivered', silent: true });
    await silence(order);
    await onceChecked(async () => (await record(order)).status === 'delivered');
    expect((await submit({ ...inState('TX'), medication: named('Aspirin').medication })).status).toBe(502);
    const { status, body } = await scorecard(`?from=${from}`);
    expect(status).toBe(200);
    expect(body.pharmacies.map(({ pharmacy }) => pharmacy)).toEqual([
      'pharmacy_a',
      'pharmacy_b',
      'pharmacy_c',
    ]);
    const score = body.pharmacies[1]!;
    // Others may have submitted for Texas meanwhile.
    expect(score.orders).toBeGreaterThanOrEqual(2);
    expect(score.rejected).toBeGreaterThanOrEqual(1);
    expect(score.holds['out_of_stock']).toBeGreaterThanOrEqual(1);
    expect(score.healedByAsking).toBeGreaterThanOrEqual(1);
    const seconds = { median: expect.any(Number), p95: expect.any(Number) };
    expect(score).toMatchObject({
      secondsToAccepted: seconds,
      secondsToShipped: seconds,
      secondsToDelivered: seconds,
    });
  });

  test('200 with zeros and nulls for a time in which nothing was submitted', async () => {
    expect((await scorecard('?to=0001-01-15T00:00:00Z')).status).toBe(200);
    const nothing = { median: null, p95: null };
    const { body } = await scorecard('?from=2001-01-01T00:00:00Z&to=2001-01-02T00:00:00Z');
    expect(body).toEqual({
      from: '2001-01-01T00:00:00.000Z',
      to: '2001-01-02T00:00:00.000Z',
      pharmacies: ['pharmacy_a', 'pharmacy_b', 'pharmacy_c'].map((pharmacy) => ({
        pharmacy,
        orders: 0,
        rejected: 0,
        holds: {},
        healedByAsking: 0,
        secondsToAccepted: nothing,
        secondsToShipped: nothing,
        secondsToDelivered: nothing,
      })),
    });
  });

  test('400 for a time that is none, 403 for a key that is no admin’s', async () => {
    expect((await scorecard('?from=yesterday')).status).toBe(400);
    expect((await scorecard('', 'clinic')).status).toBe(403);
    expect((await scorecard()).status).toBe(200);
  });
});
