import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { createStatementActivities } from '../../../../activities/orchestrator/statements.js';
import { type Book, insertLines, listLines, settleLine } from '../../../../db/orchestrator/book-lines.js';
import { findClose, finishClose } from '../../../../db/orchestrator/closes.js';
import {
  findStatement,
  finishStatement,
  postStatement,
  removeStatement,
} from '../../../../db/orchestrator/statements.js';
import type { StagedOrder } from '../../../../domain/orchestrator/bill-books.js';
import { billKinds } from '../../../../domain/orchestrator/statements.js';
import { closeParts, contextOf, db, running } from '../../real-parts.js';
import { referencesOfTwoTasks } from './moved-orders.js';

afterAll(closeParts);
const { sql } = contextOf('orchestrator');

/** A day of long ago that no other run of this test has. */
const freshDay = () =>
  new Date(Date.UTC(1910, 0, 1 + Math.floor(Math.random() * 15_000))).toISOString().slice(0, 10);
const perKind = { several: 6, matched: 1_000 };
const priceCents = 8_000;

interface Planted {
  orders: StagedOrder[];
  lines: { pharmacyOrderId: string; amountCents: number }[];
  kinds: Map<string, string>;
}

/** Orders of an article that has a price, and what the pharmacy bills for them. */
function plant(day: string, article: string): Planted {
  const planted: Planted = { orders: [], lines: [], kinds: new Map() };
  const bill = (pharmacyOrderId: string, amountCents = priceCents) =>
    planted.lines.push({ pharmacyOrderId, amountCents });
  const kinds = [...billKinds.flatMap((kind) => Array<typeof kind>(perKind.several).fill(kind)), null];
  for (let n = 0; n < kinds.length - 1 + perKind.matched; n += 1) {
    const kind = kinds[n] ?? null;
    const [pharmacyOrderId, reference] = [`case_${randomUUID()}`, `statement-${randomUUID()}`];
    const submissionId = randomUUID();
    if (kind) planted.kinds.set(kind === 'bill_without_order' ? pharmacyOrderId : reference, kind);
    if (kind !== 'bill_without_order')
      planted.orders.push({
        submissionId,
        pharmacyOrderId,
        reference,
        article,
        status: 'shipped',
        shippedOn: day,
      });
    if (kind !== 'order_not_billed')
      bill(pharmacyOrderId, kind === 'bill_amount' ? priceCents + 1 : priceCents);
    if (kind === 'bill_twice') bill(pharmacyOrderId);
  }
  return planted;
}

async function post(day: string, { lines }: Planted) {
  const posted = await postStatement(sql, {
    pharmacy: 'pharmacy_a',
    from: day,
    to: day,
    sha256: randomUUID(),
    lines,
  });
  if ('coveredBy' in posted) throw new Error('the day was taken');
  return posted.statement;
}

const activitiesOf = ({ orders }: Planted, found: StagedOrder[] = []) =>
  createStatementActivities({
    sql,
    timeZone: 'America/New_York',
    orders: {
      listShipped: async ({ cursor }) => {
        const start = Number(cursor ?? 0);
        const end = start + 100;
        return { orders: orders.slice(start, end), nextCursor: end < orders.length ? String(end) : null };
      },
      findBilled: async (_pharmacy, ids) => found.filter((order) => ids.includes(order.pharmacyOrderId)),
    },
  });

/** Reconciles as the run does, and dies after so many activities. @returns whether it came to the end */
async function reconcileUntil(
  activities: ReturnType<typeof activitiesOf>,
  statementId: string,
  deathAfter: number,
): Promise<boolean> {
  let done = 0;
  const step = async <I, O>(activity: (input: I) => Promise<O>, input: I): Promise<O | 'killed'> => {
    if (done === deathAfter) return 'killed';
    done += 1;
    return running(activity, input);
  };
  let cursor: string | null = null;
  do {
    cursor = await step(
      (page: { statementId: string; cursor: string | null }) => activities.readShipped(page),
      { statementId, cursor },
    );
    if (cursor === 'killed') return false;
  } while (cursor !== null);
  for (;;) {
    const more = await step((page: { statementId: string }) => activities.matchBills(page), { statementId });
    if (more === 'killed') return false;
    if (!more) break;
  }
  return (await step(activities.finishStatement, { statementId })) !== 'killed';
}

test('Every kind of difference is found among 1,000 matched bills, however often the run is killed', async () => {
  const day = freshDay();
  const article = `article-${day}`;
  await db`
    insert into orchestrator.price (pharmacy, article, from_day, cents)
    values ('pharmacy_a', ${article}, '1900-01-01', ${priceCents})
  `;
  const planted = plant(day, article);
  const { id } = await post(day, planted);
  const activities = activitiesOf(planted);

  let deathAfter = 1;
  while (!(await reconcileUntil(activities, id, deathAfter))) deathAfter += 1;
  const lines = await listLines(sql, { statementId: id }, { limit: 10_000 });
  const found = lines.filter(({ state }) => state === 'difference');
  expect(new Map(found.map(({ reference, kind }) => [reference, kind]))).toEqual(planted.kinds);
  expect(lines.filter(({ theirs }) => theirs !== null)).toHaveLength(planted.lines.length);

  const cents = lines.reduce((sum, { theirs }) => sum + Number(theirs?.['amountCents'] ?? 0), 0);
  const statement = await findStatement(sql, id);
  expect(statement).toMatchObject({
    state: 'reconciled',
    lines: planted.lines.length,
    billedCents: cents,
    matched: perKind.matched + perKind.several,
    differences: planted.kinds.size,
  });
  const items =
    await db`select state from orchestrator.work_item where kind = 'statement_differences' and fact = ${id}`;
  expect(items).toEqual([{ state: 'open' }]);
  await reconcileUntil(activities, id, Infinity);
  expect(await findStatement(sql, id)).toEqual(statement);
  expect(await listLines(sql, { statementId: id }, { limit: 10_000 })).toHaveLength(lines.length);
});

test('A moved order is under its task, and a task whose id ends in a number has its own lines (D6, D105)', async () => {
  const [day, references] = [freshDay(), await referencesOfTwoTasks()];
  const [task, other] = references;
  const orders = references.map((reference): StagedOrder => ({
    submissionId: randomUUID(),
    pharmacyOrderId: `case_${randomUUID()}`,
    reference,
    article: null,
    status: 'shipped',
    shippedOn: day,
  }));
  const bills = orders.map(({ pharmacyOrderId }) => ({ pharmacyOrderId, amountCents: 1 }));
  /** The references of the lines, if so many of the orders shipped on another day. */
  async function referencesOf(others: number): Promise<string[]> {
    const planted = { orders: orders.slice(others), lines: bills, kinds: new Map<string, string>() };
    const { id } = await post(day, planted);
    await reconcileUntil(activitiesOf(planted, orders), id, Infinity);
    const lines = await listLines(sql, { statementId: id }, { limit: 10 });
    await removeStatement(sql, id);
    return lines.map(({ reference }) => reference).sort();
  }
  expect([await referencesOf(0), await referencesOf(3)]).toEqual([
    [task, task, other],
    [task, task, other],
  ]);
});

test('A statement that is removed while it is reconciled gets no work item', async () => {
  const day = freshDay();
  const planted = plant(day, `article-${day}`);
  const { id } = await post(day, planted);
  const activities = activitiesOf(planted);
  await reconcileUntil(activities, id, 14);
  await removeStatement(sql, id);
  expect(await reconcileUntil(activities, id, Infinity)).toBe(true);
  const items =
    await db`select 1 from orchestrator.work_item where kind = 'statement_differences' and fact = ${id}`;
  expect(items).toEqual([]);
});

test('A statement or a close whose lines are all settled before it ends opens no work item', async () => {
  const date = freshDay();
  const bills = [{ pharmacyOrderId: 'case_1', amountCents: 1 }];
  const { id: statementId } = await post(date, { orders: [], lines: bills, kinds: new Map() });
  await db`insert into orchestrator.close (date) values (${date})`;
  const line = { reference: 'case_1', taskId: null, because: null, ours: null, theirs: null };
  const settled = { at: new Date().toISOString(), by: 'kim', answer: 'accept', note: null } as const;
  const settleAll = async (book: Book) => {
    for (const { id } of await listLines(sql, book, { limit: 10 })) await settleLine(sql, book, id, settled);
  };
  await insertLines(sql, { statementId }, [{ ...line, state: 'difference', kind: 'bill_without_order' }]);
  await insertLines(sql, { date }, [{ ...line, state: 'difference', kind: 'charge_not_ours' }]);
  await settleAll({ statementId });
  await settleAll({ date });
  await finishStatement(sql, statementId);
  await finishClose(sql, date);
  const ended = [await findStatement(sql, statementId), await findClose(sql, date)];
  expect(ended.map((book) => [book?.state, book?.differences])).toEqual([
    ['reconciled', 1],
    ['closed', 1],
  ]);
  const items = await db`select 1 from orchestrator.work_item where fact = any(${[statementId, date]})`;
  expect(items).toEqual([]);
});

test('Two statements that are posted at once for the same days are one, or one of them is covered', async () => {
  const day = freshDay();
  const lines = [{ pharmacyOrderId: 'case_1', amountCents: 1 }];
  const statement = { pharmacy: 'pharmacy_a', from: day, to: day, lines } as const;
  const hashes = ['a', 'a', 'a', 'b', 'b'];
  const posted = await Promise.all(hashes.map((sha256) => postStatement(sql, { ...statement, sha256 })));
  expect(posted.filter((one) => 'isNew' in one && one.isNew)).toHaveLength(1);
  const ids = posted.map((one) => ('coveredBy' in one ? one.coveredBy : one.statement.id));
  expect(new Set(ids).size).toBe(1);
});
