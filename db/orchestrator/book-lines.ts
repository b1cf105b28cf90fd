import type { CalendarDay } from '../../domain/calendar.js';
import type { CloseLine } from '../../domain/orchestrator/daily-close.js';
import type { StatementLine } from '../../domain/orchestrator/statements.js';
import { first, type Queryable, type Sql } from '../client.js';
import { closeWorkItem, type Fact } from '../work-items.js';

/** Whose lines they are: those of a close (D131) or of a statement (D133). */
export type Book = { date: CalendarDay } | { statementId: string };
type Line = CloseLine | StatementLine;

/** A line as it is stored. */
export type LineOf<B extends Book> = (B extends { date: CalendarDay } ? CloseLine : StatementLine) & {
  id: string;
  settled: Settled | null;
};
export type StoredLine = LineOf<Book>;
interface Settled {
  at: string;
  by: string;
  answer: 'recheck' | 'accept';
  note: string | null;
}

/** The work item of a book whose lines differ. */
export const itemOf = (book: Book) =>
  ('date' in book
    ? { kind: 'close_differences', fact: book.date }
    : { kind: 'statement_differences', fact: book.statementId }) satisfies Fact;

const ofBook = (sql: Queryable, book: Book) =>
  'date' in book ? sql`date = ${book.date}` : sql`statement_id = ${book.statementId}`;
const columns = (sql: Queryable) => sql`id, reference, task_id, state, kind, because, ours, theirs, settled`;

export async function insertLines(sql: Queryable, book: Book, lines: readonly Line[]): Promise<void> {
  const { date = null, statementId = null } = book as { date?: CalendarDay; statementId?: string };
  await sql`
    insert into orchestrator.close_line (date, statement_id, reference, task_id, state, kind, because, ours, theirs)
    select ${date}::date, ${statementId}::uuid, reference, "taskId", state, kind, because, ours, theirs
    from jsonb_to_recordset(${sql.json(lines.map((line) => ({ ...line })))})
      as line (reference text, "taskId" text, state text, kind text, because text, ours jsonb, theirs jsonb)
  `;
}

/** The lines of a book, in the order of their ids. */
export const listLines = <B extends Book>(
  sql: Queryable,
  book: B,
  {
    state,
    after,
    limit,
  }: { state?: CloseLine['state'] | undefined; after?: string | undefined; limit: number },
) =>
  sql<LineOf<B>[]>`
    select ${columns(sql)} from orchestrator.close_line
    where ${ofBook(sql, book)} ${state === undefined ? sql`` : sql`and state = ${state}`}
      ${after === undefined ? sql`` : sql`and id > ${after}`}
    order by id
    limit ${limit}
  `;

const isOpen = (sql: Queryable) => sql`state = 'difference' and settled is null`;

/** Lines that differ and are not settled. */
export const listOpenLines = (sql: Queryable, book: Book, after: string | null, limit: number) =>
  sql<StoredLine[]>`
    select ${columns(sql)} from orchestrator.close_line
    where ${ofBook(sql, book)} and ${isOpen(sql)} ${after === null ? sql`` : sql`and id > ${after}`}
    order by id
    limit ${limit}
  `;

/** How many lines differ and are not settled. */
export async function countOpenLines(sql: Queryable, book: Book): Promise<number> {
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*)::int from orchestrator.close_line where ${ofBook(sql, book)} and ${isOpen(sql)}
  `;
  return count;
}

export const findLine = <B extends Book>(sql: Queryable, book: B, id: string) =>
  first(sql<LineOf<B>[]>`
    select ${columns(sql)} from orchestrator.close_line where ${ofBook(sql, book)} and id = ${id}
  `);

/** Settles a line once, and closes the work item with the last one (D132). */
export const settleLine = (sql: Sql, book: Book, id: string, settled: Settled): Promise<void> =>
  sql.begin(async (sql) => {
    // Two last lines wait for each other.
    await ('date' in book
      ? sql`select from orchestrator.close where date = ${book.date} for update`
      : sql`select from orchestrator.statement where id = ${book.statementId} for update`);
    await sql`
      update orchestrator.close_line set settled = ${sql.json({ ...settled })}
      where ${ofBook(sql, book)} and id = ${id} and settled is null
    `;
    if ((await listOpenLines(sql, book, null, 1)).length === 0)
      await closeWorkItem(sql, 'orchestrator', itemOf(book));
  });
