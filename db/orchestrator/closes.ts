import { addDays, type CalendarDay } from '../../domain/calendar.js';
import type { OwnBooks } from '../../domain/orchestrator/close-books.js';
import type { CloseFact, CloseLine, CloseTotals } from '../../domain/orchestrator/daily-close.js';
import { first, type Queryable, type Sql } from '../client.js';
import { openWorkItem } from '../work-items.js';
import { insertLines, itemOf, listOpenLines } from './book-lines.js';

export interface Close extends CloseTotals {
  date: CalendarDay;
  state: 'running' | 'closed';
  matched: number;
  explained: number;
  differences: number;
  settled: number;
}

const columns = (sql: Queryable) => sql`
  date, state, orders, charges, charged_cents::float8 as charged_cents, refunded_cents::float8 as refunded_cents, labels,
  matched, explained, differences, (
    select count(*)::int from orchestrator.close_line line where line.date = close.date and settled is not null
  ) as settled
`;

export const findClose = (sql: Queryable, date: CalendarDay) =>
  first(sql<Close[]>`select ${columns(sql)} from orchestrator.close where date = ${date}`);

/** For how long the close that began first has been open; 0 if none is. */
export async function measureOpenCloses(sql: Queryable): Promise<number> {
  const [open] = await sql<[{ ageSeconds: number }]>`
    select coalesce(extract(epoch from now() - min(opened_at)), 0)::float8 as age_seconds
    from orchestrator.close where state = 'running'
  `;
  return open.ageSeconds;
}

/** Closes of a period, newest first. */
export const listCloses = (
  sql: Queryable,
  {
    from,
    to,
    before,
    limit,
  }: { from?: string | undefined; to?: string | undefined; before?: string | undefined; limit: number },
) =>
  sql<Close[]>`
    select ${columns(sql)} from orchestrator.close
    where true ${from === undefined ? sql`` : sql`and date >= ${from}`} ${to === undefined ? sql`` : sql`and date <= ${to}`}
      ${before === undefined ? sql`` : sql`and date < ${before}`}
    order by date desc
    limit ${limit}
  `;

/** How many days before its own a close looks for what came late. */
const lateDays = 7;

/**
 * Opens the close of a day.
 * @returns the day and the closed days before it that it reads; null when the day is closed
 */
export const openClose = (sql: Sql, date: CalendarDay): Promise<CalendarDay[] | null> =>
  sql.begin(async (sql) => {
    await sql`insert into orchestrator.close (date) values (${date}) on conflict do nothing`;
    const [own] = await sql<{ state: string }[]>`
      select state from orchestrator.close where date = ${date} for update
    `;
    if (own?.state === 'closed') return null;
    const closed = await sql<{ date: CalendarDay }[]>`
      select date from orchestrator.close
      where state = 'closed' and date < ${date} and date >= ${addDays(date, -lateDays)}
      order by date
    `;
    return [date, ...closed.map((late) => late.date)];
  });

type OutsideKind = 'order' | 'charge' | 'refund' | 'label';
export interface NewFact {
  id: string;
  /** An order's reference; for a label the router's id. */
  under: string;
  detail: string | null;
  /** Only for a charge or refund. */
  intentId: string | null;
  cents: number;
  at: Date;
  /** Of an order. */
  pharmacy?: string;
}

/** Held while a close reads: what is still on its way when the matching begins is left to a later close. */
const readingClose = (sql: Queryable, date: CalendarDay) => sql`
  select date from orchestrator.close where date = ${date} and state = 'running' and matched_to = '' for share
`;

/** Stores a page of what happened; what stands in a close already stays there. */
export async function stageFacts(
  sql: Queryable,
  date: CalendarDay,
  kind: OutsideKind,
  facts: readonly NewFact[],
): Promise<void> {
  const ids = sql.array(facts.map(({ id }) => id));
  const missing = await sql<{ id: string }[]>`
    select unnest(${ids}::text[]) as id
    except
    select id from orchestrator.close_fact where kind = ${kind} and id = any(${ids}::text[])
  `;
  const unknown = new Set(missing.map(({ id }) => id));
  const others = facts.filter(({ id }) => unknown.has(id));
  if (others.length === 0) return;
  await sql`
    with reading as (${readingClose(sql, date)})
    insert into orchestrator.close_fact (kind, id, date, reference, detail, cents, at, pharmacy)
    select ${kind}::text, id, reading.date, coalesce(
      (select task_id from orchestrator.payment where payment_intent_id = intent_id limit 1),
      case ${kind}::text
        -- a moved order is its task's (D105)
        when 'order' then (select task_id from orchestrator.order_reference ref where ref.reference = under)
        when 'label' then (
          select reference from orchestrator.close_fact known where known.kind = 'order' and known.id = under
        )
      end,
      under
    ), detail, cents, at, pharmacy
    from reading, jsonb_to_recordset(${sql.json(
      others.map(({ intentId, at, ...fact }) => ({ ...fact, intent_id: intentId, at: at.toISOString() })),
    )}) as fact (id text, under text, detail text, intent_id text, cents int, at timestamptz, pharmacy text)
    on conflict do nothing
  `;
}

/** Stores our charges that succeeded in a period, and what we gave back. */
export async function stagePayments(
  sql: Queryable,
  date: CalendarDay,
  { from, to }: { from: Date; to: Date },
): Promise<void> {
  await sql`
    with reading as (${readingClose(sql, date)})
    insert into orchestrator.close_fact (kind, id, date, reference, cents, at)
    select 'payment', task_id, reading.date, task_id, amount_cents, paid_at
    from reading, orchestrator.payment
    where paid_at >= ${from} and paid_at < ${to} and status = 'succeeded' and amount_cents > 0
    union all
    select 'repaid', task_id || ':' || refunded_cents, reading.date, task_id, refunded_cents, updated_at
    from reading, orchestrator.payment
    where updated_at >= ${from} and updated_at < ${to} and refunded_cents > 0
    on conflict do nothing
  `;
}

/** The next references of a close that have no lines yet. */
export const nextReferences = (sql: Queryable, date: CalendarDay, limit: number) =>
  sql<{ reference: string; matchedTo: string }[]>`
    select distinct fact.reference, matched_to
    from orchestrator.close
    join orchestrator.close_fact fact using (date)
    where close.date = ${date} and fact.reference > matched_to collate "C"
    order by fact.reference
    limit ${limit}
  `;

/** Writes the lines of a page and moves on, unless another try has. */
export const writeLines = (
  sql: Sql,
  date: CalendarDay,
  page: { after: string; to: string },
  lines: readonly CloseLine[],
): Promise<void> =>
  sql.begin(async (sql) => {
    const { count } = await sql`
      update orchestrator.close set matched_to = ${page.to}
      where date = ${date} and state = 'running' and matched_to = ${page.after}
    `;
    if (count === 0) return;
    await insertLines(sql, { date }, lines);
  });

/** Closes a day: its totals stand from now on. Opens a work item while a line that differs is not settled (D132). */
export const finishClose = (sql: Sql, date: CalendarDay): Promise<void> =>
  sql.begin(async (sql) => {
    const { count } = await sql`
      update orchestrator.close set (orders, charges, charged_cents, refunded_cents, labels) = (
        select count(*) filter (where kind = 'order'), count(*) filter (where kind = 'charge'),
          coalesce(sum(cents) filter (where kind = 'charge'), 0),
          coalesce(sum(cents) filter (where kind = 'refund'), 0), count(*) filter (where kind = 'label')
        from orchestrator.close_fact where date = ${date}
      ), (matched, explained, differences) = (
        select count(*) filter (where line.state = 'matched'), count(*) filter (where line.state = 'explained'),
          count(*) filter (where line.state = 'difference')
        from orchestrator.close_line line where line.date = ${date}
      ), state = 'closed', closed_at = now()
      where date = ${date} and state = 'running'
    `;
    if (count === 0 || (await listOpenLines(sql, { date }, null, 1)).length === 0) return;
    await openWorkItem(sql, 'orchestrator', {
      ...itemOf({ date }),
      reason: 'differences',
      references: { date },
      workflowId: `close:${date}`,
    });
  });

/** The facts of references, in whatever close. */
export const listFacts = (sql: Queryable, date: CalendarDay, references: readonly string[]) =>
  sql<(CloseFact & { reference: string })[]>`
    select wanted.reference, kind, id, date = ${date} as is_fresh, detail, cents
    from unnest(${sql.array([...references])}::text[]) as wanted (reference)
    cross join lateral (
      -- the offset keeps it a lookup by the index, which statistics of a table that grew at once speak against
      select * from orchestrator.close_fact fact where fact.reference = wanted.reference offset 0
    ) fact
    order by at, id
  `;

/** When the first of a close happened. */
export async function earliestFact(sql: Queryable, date: CalendarDay): Promise<Date> {
  const [{ at }] = await sql<[{ at: Date }]>`
    select coalesce(min(at), now()) as at from orchestrator.close_fact where date = ${date}
  `;
  return at;
}

type OwnRow = Omit<OwnBooks, 'payment'> &
  Omit<NonNullable<OwnBooks['payment']>, 'status'> & {
    status: NonNullable<OwnBooks['payment']>['status'] | null;
  };

/** Reads our own rows about references. */
export async function listOwnBooks(sql: Queryable, references: readonly string[]): Promise<OwnBooks[]> {
  const rows = await sql<OwnRow[]>`
    select wanted.reference, coalesce(run.task_id, task.task_id, replaced.task_id) as task_id, payment.status,
      payment.payment_intent_id as intent_id, coalesce(payment.amount_cents, 0) as amount_cents,
      coalesce(payment.refunded_cents, 0) as refunded_cents, payment.coupon_id is not null as has_coupon,
      recovery.state as recovery, coalesce(task.cancelled_at is not null or replaced.state = 'cancelled', false) as is_cancelled,
      replaced.paid_by, coalesce(
        run.unknown_submission_id is not null or run.status = 'pending' or replaced.running_since is not null, false
      ) as is_settling, coalesce(
        task.run_id is not null and run.settled_at is null and 'shipment_failed' = any(run.warnings) and not exists (
          -- the label was rejected, or given up
          select from orchestrator.work_item
          where work_item.kind = 'shipment_failed' and fact = run.result ->> 'submissionId'
        ), false
      ) as is_label_out, labels.awaits_pharmacy, labels.label_ids
    from unnest(${sql.array([...references])}::text[]) as wanted (reference)
    left join orchestrator.task on task.task_id = wanted.reference
    left join orchestrator.replacement replaced on replaced.reference = wanted.reference
    left join orchestrator.run on run.id = coalesce(task.run_id, replaced.run_id)
    left join orchestrator.payment on payment.task_id = wanted.reference
    left join orchestrator.payment_recovery recovery on recovery.reference = wanted.reference
    cross join lateral (
      select coalesce(bool_or(shipment.state = 'awaiting_pharmacy'), false) as awaits_pharmacy,
        coalesce(array_agg(distinct label.id) filter (where label.id is not null), '{}') as label_ids
      from orchestrator.close_fact fact
      -- cast on this side, so that the shipment is found by its key; other kinds have none
      join orchestrator.shipment on shipment.submission_id = case when fact.kind = 'order' then fact.id::uuid end
      left join lateral (
        select shipment.shipment_id as id
        union
        select parcel.shipment_id from orchestrator.parcel where parcel.submission_id = shipment.submission_id
      ) label on true
      where fact.reference = wanted.reference
    ) labels
  `;
  return rows.map(({ status, intentId, amountCents, refundedCents, hasCoupon, ...own }) => ({
    ...own,
    payment: status && { status, intentId, amountCents, refundedCents, hasCoupon },
  }));
}
