import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { createCloseActivities, type CloseSource } from '../../../../activities/orchestrator/daily-close.js';
import { listLines } from '../../../../db/orchestrator/book-lines.js';
import { findClose } from '../../../../db/orchestrator/closes.js';
import { type DifferenceKind, differenceKinds } from '../../../../domain/orchestrator/daily-close.js';
import type { OrderClient } from '../../../../integrations/router/orders.js';
import type { ShippingClient } from '../../../../integrations/shipping/client.js';
import type { ProcessorLedger } from '../../../../integrations/stripe/ledger.js';
import { closeParts, contextOf, db, running } from '../../real-parts.js';

afterAll(closeParts);
const { sql } = contextOf('orchestrator');

/** A day of long ago that no other run of this test has. */
const date = new Date(Date.UTC(1950, 0, 1 + Math.floor(Math.random() * 15_000))).toISOString().slice(0, 10);
const at = new Date(`${date}T18:00:00Z`);
const amountCents = 29_900;
const perKind = { several: 6, matched: 3_000 };

const outside = {
  orders: [] as { id: string; sourceOrderId: string; reference: string }[],
  charges: [] as { id: string; intentId: string | null; cents: number }[],
  refunds: [] as { id: string; chargeId: string; intentId: string; cents: number }[],
  labels: [] as { shipmentId: string; reference: string }[],
};
const planted = new Map<string, DifferenceKind>();

/** An order with its charge and label in all books, but for what differs. */
async function arrange(kind: DifferenceKind | null) {
  const [reference, id] = [`close-${randomUUID()}`, randomUUID()];
  const [intentId, chargeId, label] = [`pi_${id}`, `ch_${id}`, `shp_${id}`];
  const is = (...some: DifferenceKind[]) => kind !== null && some.includes(kind);
  const refundedCents = is('refund_missing_there', 'refund_amount') ? 500 : 0;
  if (kind === 'charge_not_ours') {
    outside.charges.push({ id: chargeId, intentId: null, cents: 700 });
    planted.set(chargeId, kind);
    return;
  }
  if (kind === 'label_without_order') {
    outside.labels.push({ shipmentId: label, reference: id });
    planted.set(id, kind);
    return;
  }
  if (kind) planted.set(reference, kind);
  if (!is('charge_without_order')) {
    outside.orders.push({ id, sourceOrderId: reference, reference });
    if (!is('order_without_label')) outside.labels.push({ shipmentId: label, reference: id });
    if (is('label_twice')) outside.labels.push({ shipmentId: `${label}-2`, reference: id });
    await db`
      insert into orchestrator.shipment (submission_id, task_id, pharmacy, state, shipment_id, created_at)
      values (${id}, ${reference}, 'pharmacy_c', 'label_created', ${label}, ${at})
    `;
  }
  if (is('order_without_charge')) return;
  await db`
    insert into orchestrator.payment
      (task_id, emr_patient_id, payment_intent_id, amount_cents, status, refunded_cents, created_at, updated_at, paid_at)
    values (${reference}, ${`p-${id}`}, ${intentId}, ${amountCents}, 'succeeded', ${refundedCents}, ${at}, ${at}, ${at})
  `;
  if (!is('charge_missing_there'))
    outside.charges.push({
      id: chargeId,
      intentId,
      cents: is('charge_amount') ? amountCents - 1 : amountCents,
    });
  if (is('refund_not_ours', 'refund_amount'))
    outside.refunds.push({ id: `re_${id}`, chargeId, intentId, cents: 400 });
}

/** A page of 100 of a list; the cursor is a place. */
const paged = <T>(all: readonly T[], cursor: string | null, isOfDay: boolean) => {
  const start = Number(cursor ?? 0);
  const end = start + 100;
  return {
    page: isOfDay ? all.slice(start, end) : [],
    next: isOfDay && end < all.length ? String(end) : null,
  };
};
const covers = ({ from, to }: { from: Date; to: Date }) => from <= at && at < to;

const activities = createCloseActivities({
  sql,
  today: async () => date,
  timeZone: 'America/New_York',
  orders: {
    listOrders: async ({ cursor, ...period }) => {
      const { page, next } = paged(outside.orders, cursor, covers(period));
      const rest = {
        source: 'orchestrator',
        pharmacy: 'pharmacy_c',
        pharmacyOrderId: 'o',
        status: 'submitted',
      } as const;
      return { orders: page.map((order) => ({ ...order, ...rest, submittedAt: at })), nextCursor: next };
    },
    findOrderOf: async () => undefined,
  } as Partial<OrderClient> as OrderClient,
  ledger: {
    listCharges: async ({ after, ...period }) => {
      const { page, next } = paged(outside.charges, after, covers(period));
      return { charges: page.map((charge) => ({ ...charge, at })), next };
    },
    listRefunds: async ({ after, ...period }) => {
      const { page, next } = paged(outside.refunds, after, covers(period));
      return { refunds: page.map((refund) => ({ ...refund, at })), next };
    },
    ofIntent: async (intent) => ({
      charges: outside.charges
        .filter(({ intentId }) => intentId === intent)
        .map((charge) => ({ ...charge, at })),
      refunds: outside.refunds
        .filter(({ intentId }) => intentId === intent)
        .map((refund) => ({ ...refund, at })),
    }),
    refundsOf: async () => [],
  } satisfies ProcessorLedger,
  shipping: {
    listShipments: async ({ cursor, ...period }) => {
      const { page, next } = paged(outside.labels, cursor, covers(period));
      return { shipments: page.map((label) => ({ ...label, createdAt: at })), nextCursor: next };
    },
  } as Partial<ShippingClient> as ShippingClient,
});

/** Closes as the run does, and dies after so many activities. @returns whether it came to the end */
async function closeUntil(deathAfter: number): Promise<boolean> {
  let done = 0;
  const step = async <I, O>(activity: (input: I) => Promise<O>, input: I): Promise<O> => {
    if (done === deathAfter) throw new Error('killed');
    done += 1;
    return running(activity, input);
  };
  try {
    const periods = (await step((close: { date: string }) => activities.openClose(close), { date })) ?? [];
    for (const source of ['orders', 'charges', 'refunds', 'labels', 'own'] satisfies CloseSource[])
      for (const days of periods) {
        let cursor: string | null = null;
        do
          cursor = await step(
            (pages: Parameters<typeof activities.readPages>[0]) => activities.readPages(pages),
            { date, days, source, cursor },
          );
        while (cursor !== null);
      }
    while (await step((close: { date: string }) => activities.matchPage(close), { date }));
    await step(activities.finishClose, { date });
    return true;
  } catch (error) {
    if (error instanceof Error && error.message === 'killed') return false;
    throw error;
  }
}

test('Every kind of difference is found among 3,000 matched lines, however often the close is killed', async () => {
  for (const kind of differenceKinds) for (let n = 0; n < perKind.several; n += 1) await arrange(kind);
  for (let n = 0; n < perKind.matched; n += 50)
    await Promise.all(Array.from({ length: 50 }, () => arrange(null)));

  let deathAfter = 1;
  while (!(await closeUntil(deathAfter))) deathAfter += 7;
  const lines = await listLines(sql, { date }, { limit: 10_000 });
  const found = lines.filter(({ state }) => state !== 'matched');
  expect(new Map(found.map(({ reference, kind }) => [reference, kind]))).toEqual(planted);
  expect(lines).toHaveLength(planted.size + perKind.matched);

  const sum = (all: readonly { cents: number }[]) => all.reduce((total, { cents }) => total + cents, 0);
  const close = await findClose(sql, date);
  expect(close).toEqual({
    date,
    state: 'closed',
    orders: outside.orders.length,
    charges: outside.charges.length,
    chargedCents: sum(outside.charges),
    refundedCents: sum(outside.refunds),
    labels: outside.labels.length,
    matched: perKind.matched,
    explained: 0,
    differences: planted.size,
    settled: 0,
  });
  const items =
    await db`select state from orchestrator.work_item where kind = 'close_differences' and fact = ${date}`;
  expect(items).toEqual([{ state: 'open' }]);

  outside.charges.push({ id: `ch_${randomUUID()}`, intentId: null, cents: 1 });
  await closeUntil(Infinity);
  expect(await findClose(sql, date)).toEqual(close);
}, 300_000);
