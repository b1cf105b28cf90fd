import type { CalendarDay } from '../../domain/calendar.js';
import type { StagedOrder } from '../../domain/orchestrator/bill-books.js';
import type { Bill, StatementLine } from '../../domain/orchestrator/statements.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import { first, type Queryable, type Sql } from '../client.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';
import { insertLines, itemOf, listOpenLines } from './book-lines.js';

export interface Statement {
  id: string;
  pharmacy: Pharmacy;
  from: CalendarDay;
  to: CalendarDay;
  sha256: string;
  state: 'running' | 'reconciled';
  /** How many it has. */
  lines: number;
  billedCents: number;
  matched: number;
  differences: number;
}

interface BilledLine {
  pharmacyOrderId: string;
  amountCents: number;
  shippedOn?: CalendarDay | undefined;
}
export type NewStatement = Pick<Statement, 'pharmacy' | 'from' | 'to' | 'sha256'> & {
  lines: readonly BilledLine[];
};

const columns = (sql: Queryable) => sql`
  id, pharmacy, from_day as from, to_day as to, sha256, state, lines, billed_cents::float8 as billed_cents, matched,
  differences
`;

/** A statement that was not removed. */
export const findStatement = (sql: Queryable, id: string) =>
  first(sql<Statement[]>`
    select ${columns(sql)} from orchestrator.statement where id = ${id} and removed_at is null
  `);

/** Statements that cover a day of a period, the last posted first. */
export const listStatements = (
  sql: Queryable,
  {
    pharmacy,
    from,
    to,
    before,
    limit,
  }: {
    pharmacy?: Pharmacy | undefined;
    from?: CalendarDay | undefined;
    to?: CalendarDay | undefined;
    /** The id of the last entry on the previous page. */
    before?: string | undefined;
    limit: number;
  },
) =>
  sql<Statement[]>`
    select ${columns(sql)} from orchestrator.statement
    where removed_at is null ${pharmacy === undefined ? sql`` : sql`and pharmacy = ${pharmacy}`}
      ${from === undefined ? sql`` : sql`and to_day >= ${from}`} ${to === undefined ? sql`` : sql`and from_day <= ${to}`}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc
    limit ${limit}
  `;

const linesAtOnce = 5_000;

/**
 * Stores a statement with its lines, unless another one of the pharmacy covers a day of it.
 * @returns the statement, new or known by its bytes; or the id of the other one
 */
export const postStatement = (
  sql: Sql,
  { pharmacy, from, to, sha256, lines }: NewStatement,
): Promise<{ statement: Statement; isNew: boolean } | { coveredBy: string }> =>
  sql.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`statement:${pharmacy}`}, 0))`;
    const covering = await sql<Statement[]>`
      select ${columns(sql)} from orchestrator.statement
      where pharmacy = ${pharmacy} and from_day <= ${to} and to_day >= ${from} and removed_at is null
      order by from_day
    `;
    const same = covering.find((one) => one.sha256 === sha256 && one.from === from && one.to === to);
    if (same) return { statement: same, isNew: false };
    const [other] = covering;
    if (other) return { coveredBy: other.id };
    const billedCents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
    const [statement] = await sql<[Statement]>`
      insert into orchestrator.statement (pharmacy, from_day, to_day, sha256, lines, billed_cents)
      values (${pharmacy}, ${from}, ${to}, ${sha256}, ${lines.length}, ${billedCents})
      returning ${columns(sql)}
    `;
    for (let start = 0; start < lines.length; start += linesAtOnce) {
      const page = lines.slice(start, start + linesAtOnce);
      const bills = page.map(({ pharmacyOrderId, amountCents, shippedOn = null }, at) => ({
        n: start + at,
        id: pharmacyOrderId,
        cents: amountCents,
        shipped_on: shippedOn,
      }));
      await sql`
        insert into orchestrator.statement_bill (statement_id, n, pharmacy_order_id, amount_cents, shipped_on, day)
        select ${statement.id}, n, id, cents, shipped_on, coalesce(shipped_on, ${from})
        from jsonb_to_recordset(${sql.json(bills)}) as bill (n int, id text, cents int, shipped_on date)
      `;
    }
    return { statement, isNew: true };
  });

/** Statements whose run stopped, or never started. */
export const listRunningStatements = (sql: Queryable, olderThanSeconds: number) =>
  sql<Pick<Statement, 'id' | 'pharmacy'>[]>`
    select id, pharmacy from orchestrator.statement
    where state = 'running' and removed_at is null
      and posted_at < now() - make_interval(secs => ${olderThanSeconds})
    limit 20
  `;

/** Puts moved orders under the reference of their task (D105). The number in a reference may be a client's own. */
export async function underTasks(sql: Queryable, orders: readonly StagedOrder[]): Promise<StagedOrder[]> {
  const references = orders.flatMap(({ reference }) => reference ?? []);
  const known = await sql<{ reference: string; taskId: string }[]>`
    select reference, task_id from orchestrator.order_reference
    where reference = any(${sql.array(references)}::text[])
  `;
  const tasks = new Map(known.map(({ reference, taskId }) => [reference, taskId]));
  return orders.map((order) => ({
    ...order,
    reference: tasks.get(order.reference ?? '') ?? order.reference,
  }));
}

/** Stores a page of the orders that the pharmacy shipped on the days of a statement. */
export async function stageOrders(
  sql: Queryable,
  statementId: string,
  orders: readonly StagedOrder[],
): Promise<void> {
  if (orders.length === 0) return;
  const staged = await underTasks(sql, orders);
  await sql`
    insert into orchestrator.statement_order
      (statement_id, submission_id, pharmacy_order_id, reference, article, status, shipped_on)
    select ${statementId}, "submissionId", "pharmacyOrderId", reference, article, status, "shippedOn"
    from jsonb_to_recordset(${sql.json(staged.map((order) => ({ ...order })))}) as staged
      ("submissionId" uuid, "pharmacyOrderId" text, reference text, article text, status text, "shippedOn" date)
    on conflict do nothing
  `;
}

export const listStagedOrders = (sql: Queryable, statementId: string, pharmacyOrderIds: readonly string[]) =>
  sql<StagedOrder[]>`
    select submission_id, pharmacy_order_id, reference, article, status, shipped_on
    from orchestrator.statement_order
    where statement_id = ${statementId} and pharmacy_order_id = any(${sql.array([...pharmacyOrderIds])}::text[])
  `;

/** The next order ids of a statement that have no lines yet, billed or shipped. */
export const nextBilledIds = (sql: Queryable, statementId: string, limit: number) => {
  const next = (table: 'statement_bill' | 'statement_order') => sql`(
    select distinct pharmacy_order_id from ${sql(`orchestrator.${table}`)} known
    where known.statement_id = statement.id and known.pharmacy_order_id > statement.matched_to collate "C"
    order by pharmacy_order_id
    limit ${limit}
  )`;
  return sql<{ pharmacyOrderId: string; matchedTo: string }[]>`
    select ids.pharmacy_order_id, statement.matched_to
    from orchestrator.statement
    cross join lateral (${next('statement_bill')} union ${next('statement_order')}) ids
    where statement.id = ${statementId} and statement.removed_at is null
    order by ids.pharmacy_order_id
    limit ${limit}
  `;
};

/** The bills of order ids in all statements of the pharmacy, in the order of their posting. */
export const listBills = (
  sql: Queryable,
  { id, pharmacy }: Pick<Statement, 'id' | 'pharmacy'>,
  pharmacyOrderIds: readonly string[],
) =>
  sql<(Bill & { pharmacyOrderId: string })[]>`
    select pharmacy_order_id, case when statement.id = ${id} then n end as n, amount_cents, shipped_on, day
    from orchestrator.statement_bill
    join orchestrator.statement on statement.id = statement_id
    where pharmacy_order_id = any(${sql.array([...pharmacyOrderIds])}::text[]) and statement.pharmacy = ${pharmacy}
      and statement.removed_at is null
    order by statement.id, statement_bill.n
  `;

/** Writes the lines of a page and moves on, unless another try has, or the statement was removed. */
export const writeStatementLines = (
  sql: Sql,
  statementId: string,
  page: { after: string; to: string },
  lines: readonly StatementLine[],
): Promise<void> =>
  sql.begin(async (sql) => {
    const { count } = await sql`
      update orchestrator.statement set matched_to = ${page.to}
      where id = ${statementId} and state = 'running' and matched_to = ${page.after} and removed_at is null
    `;
    if (count > 0) await insertLines(sql, { statementId }, lines);
  });

/** Ends the reconciliation of a statement. Opens a work item while a line that differs is not settled (D133). */
export const finishStatement = (sql: Sql, statementId: string): Promise<void> =>
  sql.begin(async (sql) => {
    const { count } = await sql`
      update orchestrator.statement set state = 'reconciled', (matched, differences) = (
        select count(*) filter (where line.state = 'matched'), count(*) filter (where line.state = 'difference')
        from orchestrator.close_line line where line.statement_id = ${statementId}
      )
      where id = ${statementId} and state = 'running' and removed_at is null
    `;
    if (count === 0 || (await listOpenLines(sql, { statementId }, null, 1)).length === 0) return;
    await openWorkItem(sql, 'orchestrator', {
      ...itemOf({ statementId }),
      reason: 'differences',
      references: { statementId },
      workflowId: `statement:${statementId}`,
    });
  });

/** Removes a statement and closes its work item, so that a corrected one can be posted. @returns what it was */
export const removeStatement = (sql: Sql, id: string): Promise<Statement | undefined> =>
  sql.begin(async (sql) => {
    const [removed] = await sql<Statement[]>`
      update orchestrator.statement set removed_at = now()
      where id = ${id} and removed_at is null
      returning ${columns(sql)}
    `;
    if (removed) await closeWorkItem(sql, 'orchestrator', itemOf({ statementId: id }));
    return removed;
  });
