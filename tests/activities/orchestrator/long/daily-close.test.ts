import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import {
  type CloseActivities,
  createCloseActivities,
  type CloseSource,
} from '../../../../activities/orchestrator/daily-close.js';
import { listLines } from '../../../../db/orchestrator/book-lines.js';
import { findClose } from '../../../../db/orchestrator/closes.js';
import { reportFailedShipment } from '../../../../db/orchestrator/shipments.js';
import { type DifferenceKind, differenceKinds } from '../../../../domain/orchestrator/daily-close.js';
import { chargeAgainReference } from '../../../../domain/orchestrator/shipments.js';
import type { OrderClient } from '../../../../integrations/router/orders.js';
import type { ShippingClient } from '../../../../integrations/shipping/client.js';
import { OutboundError } from '../../../../platform/http/outbound.js';
import type { ProcessorLedger } from '../../../../integrations/stripe/ledger.js';
import type { Sql } from '../../../../db/client.js';
import { closeParts, contextOf, db, running } from '../../real-parts.js';
import { mortal } from './close-deaths.js';
import { referencesOfTwoTasks } from './moved-orders.js';

afterAll(closeParts);
const { sql } = contextOf('orchestrator');

const amountCents = 29_900;
const perKind = { several: 6, matched: 3_000 };

/** A day of long ago that no other run of this test has, with what the outside has of it. */
function freshDay() {
  const date = new Date(Date.UTC(1950, 0, 1 + Math.floor(Math.random() * 15_000))).toISOString().slice(0, 10);
  return {
    date,
    at: new Date(`${date}T18:00:00Z`),
    outside: {
      orders: [] as { id: string; sourceOrderId: string; reference: string }[],
      charges: [] as { id: string; intentId: string | null; cents: number }[],
      refunds: [] as { id: string; chargeId: string; intentId: string; cents: number }[],
      labels: [] as { shipmentId: string; reference: string }[],
    },
    /** Orders of earlier days, by their ids. */
    earlier: new Set<string>(),
    planted: new Map<string, DifferenceKind>(),
  };
}
type Day = ReturnType<typeof freshDay>;

async function arrangeAll(day: Day, { several, matched }: typeof perKind): Promise<void> {
  for (const kind of differenceKinds) for (let n = 0; n < several; n += 1) await arrange(day, kind);
  for (let n = 0; n < matched; n += 50)
    await Promise.all(Array.from({ length: Math.min(50, matched - n) }, () => arrange(day, null)));
}

/** An order with its charge and label in all books, but for what differs. */
async function arrange(
  { at, outside, planted }: Day,
  kind: DifferenceKind | null,
  { reference = `close-${randomUUID()}`, id = randomUUID() }: { reference?: string; id?: string } = {},
): Promise<void> {
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
function activitiesOn({ date, at, outside, earlier }: Day, sql: Sql): CloseActivities {
  const covers = ({ from, to }: { from: Date; to: Date }) => from <= at && at < to;
  return createCloseActivities({
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
      findOrderOf: async (id) => (earlier.has(id) ? { id, detail: 'cancelled' } : undefined),
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
}

type Step = <T>(work: () => Promise<T>) => Promise<T>;

/** Closes as the run does. */
async function closeBy(activities: CloseActivities, date: string, step: Step): Promise<void> {
  const run: Step = (work) => running(() => step(work), undefined);
  const periods = (await run(() => activities.openClose({ date }))) ?? [];
  for (const source of ['orders', 'charges', 'refunds', 'labels', 'own'] satisfies CloseSource[])
    for (const days of periods) {
      let cursor: string | null = null;
      do {
        const from: string | null = cursor;
        cursor = await run(() => activities.readPages({ date, days, source, cursor: from }));
      } while (cursor !== null);
    }
  while (await run(() => activities.matchPage({ date })));
  await run(() => activities.finishClose({ date }));
}

/** All that is kept of a close, with its work items. */
async function keptOf({ date }: Day) {
  const lines = await listLines(sql, { date }, { limit: 10_000 });
  const items = await db<{ state: string }[]>`
    select state from orchestrator.work_item where kind = 'close_differences' and fact = ${date}
  `;
  return { close: await findClose(sql, date), lines, items: items.map(({ state }) => state) };
}

/** What must be kept of it. */
function expectedOf({ date, outside, planted }: Day, matched: number) {
  const sum = (all: readonly { cents: number }[]) => all.reduce((total, { cents }) => total + cents, 0);
  return {
    date,
    state: 'closed',
    orders: outside.orders.length,
    charges: outside.charges.length,
    chargedCents: sum(outside.charges),
    refundedCents: sum(outside.refunds),
    labels: outside.labels.length,
    matched,
    explained: 0,
    differences: planted.size,
    settled: 0,
  };
}

test('Every kind of difference is found among 3,000 matched lines, killed at each statement of each page', async () => {
  const day = freshDay();
  await arrangeAll(day, perKind);
  const mortalSql = mortal(sql);
  await closeBy(activitiesOn(day, mortalSql.sql), day.date, mortalSql.untilDone);
  const kept = await keptOf(day);
  const found = kept.lines.filter(({ state }) => state !== 'matched');
  expect(new Map(found.map(({ reference, kind }) => [reference, kind]))).toEqual(day.planted);
  expect(kept.lines).toHaveLength(day.planted.size + perKind.matched);
  expect(kept.close).toEqual(expectedOf(day, perKind.matched));
  expect(kept.items).toEqual(['open']);

  day.outside.charges.push({ id: `ch_${randomUUID()}`, intentId: null, cents: 1 });
  const activities = activitiesOn(day, sql);
  await closeBy(activities, day.date, (work) => work());
  // A try that was thought lost, and comes late.
  const days = { from: day.date, to: day.date };
  const readLate = (source: CloseSource) =>
    running(() => activities.readPages({ date: day.date, days, source, cursor: null }), undefined);
  await readLate('charges');
  await readLate('own');
  expect(await keptOf(day)).toEqual(kept);
  expect(
    await db`select from orchestrator.close_fact where kind = 'charge' and date = ${day.date}`,
  ).toHaveLength(kept.close?.charges ?? 0);
});

test('A page that its party rejects is read later, since a close that fails would stay open', async () => {
  const day = freshDay();
  const activities = createCloseActivities({
    ...({} as Parameters<typeof createCloseActivities>[0]),
    timeZone: 'America/New_York',
    shipping: {
      listShipments: async () => {
        throw new OutboundError('Shipping', { kind: 'status', status: 401, body: '' });
      },
    } as Partial<ShippingClient> as ShippingClient,
  });
  const days = { from: day.date, to: day.date };
  await expect(
    running(() => activities.readPages({ date: day.date, days, source: 'labels', cursor: null }), undefined),
  ).rejects.toMatchObject({ message: 'Shipping answered 401', type: 'Unavailable', nonRetryable: false });
});

test('Two workers that match the same page write it once', async () => {
  const day = freshDay();
  await arrangeAll(day, { several: 1, matched: 50 });
  const activities = activitiesOn(day, sql);
  await closeBy(activities, day.date, async (work) => (await Promise.all([work(), work(), work()]))[0]);
  expect((await keptOf(day)).close).toEqual(expectedOf(day, 50));
});

/** The lines of a day that is closed, in words. */
async function linesOf(day: Day): Promise<string[]> {
  await closeBy(activitiesOn(day, sql), day.date, (work) => work());
  const { lines } = await keptOf(day);
  return lines
    .map(({ reference, state, kind, because }) => [reference, state, kind, because].filter(Boolean).join(' '))
    .sort();
}

test('A moved order is under its task, and a task whose id ends in a number has its own lines (D6, D105)', async () => {
  const [day, [task, ...others]] = [freshDay(), await referencesOfTwoTasks()];
  await arrange(day, null, { reference: task });
  for (const reference of others) await arrange(day, 'order_without_charge', { reference });
  expect(await linesOf(day)).toEqual([`${task} matched`, `${others[0]} difference order_without_charge`]);
});

test('Only an answer that is still out explains a line as settling (D132)', async () => {
  const [day, tasks] = [freshDay(), [1, 2, 3, 4].map((n) => `close-${n}-${randomUUID()}`)];
  const [lost, refused, declined, unlabeled] = tasks as [string, string, string, string];
  async function warned(reference: string, warning: string, kind: DifferenceKind): Promise<string> {
    const [id, runId] = [randomUUID(), randomUUID()];
    await arrange(day, kind, { reference, id });
    await db`
      insert into orchestrator.task (task_id, kind, state, details_hash, run_id)
      values (${reference}, 'approve', 'completed', '', ${runId})
    `;
    await db`
      insert into orchestrator.run
        (id, task_id, workflow_id, medication, emr_patient_id, status, warnings, result)
      values (${runId}, ${reference}, ${`test:${runId}`}, 'semaglutide', ${`p-${id}`}, 'completed', ${[warning]},
        ${db.json({ submissionId: id })})
    `;
    return id;
  }
  await warned(lost, 'shipment_failed', 'order_without_label');
  const submissionId = await warned(refused, 'shipment_failed', 'order_without_label');
  const failed = { submissionId, taskId: refused, reason: 'refused' as const, workflowId: 'test' };
  await db.begin((sql) => reportFailedShipment(sql, failed));
  await warned(declined, 'payment_failed', 'order_without_charge');
  await db`
    insert into orchestrator.payment_recovery (reference, state, ended_at) values (${declined}, 'unpaid', now())
  `;
  await warned(unlabeled, 'payment_failed', 'order_without_label');
  expect(await linesOf(day)).toEqual([
    `${lost} explained order_without_label settling`,
    `${refused} difference order_without_label`,
    `${declined} difference order_without_charge`,
    `${unlabeled} difference order_without_label`,
  ]);
});

test('The charge of an order that was sent although it was cancelled belongs to that order (D155)', async () => {
  const [day, id] = [freshDay(), randomUUID()];
  const reference = chargeAgainReference(id);
  await arrange(day, 'charge_without_order', { reference });
  day.earlier.add(id);
  expect(await linesOf(day)).toEqual([`${reference} matched`]);
});

test('Without transactions, a kill between two statements would lose lines (control)', async () => {
  const day = freshDay();
  await arrangeAll(day, { several: 1, matched: 50 });
  const mortalSql = mortal(sql, { isAtomic: false });
  await closeBy(activitiesOn(day, mortalSql.sql), day.date, mortalSql.untilDone);
  expect((await keptOf(day)).close?.matched).toBeLessThan(50);
});
