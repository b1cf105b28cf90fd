import type { CalendarDay } from '../../domain/calendar.js';
import type { Queryable } from '../client.js';

interface MonthOfPharmacy {
  pharmacy: string;
  orders: number;
  /** Null without a statement. */
  billedCents: number | null;
}

/** The figures of the days from `from` until before `until`, from the closes and the statements (D135). */
export async function readMonth(
  sql: Queryable,
  { from, until }: { from: CalendarDay; until: CalendarDay },
): Promise<{
  closedDays: number;
  chargedCents: number;
  refundedCents: number;
  pharmacies: MonthOfPharmacy[];
}> {
  const [closes] = await sql<[{ closedDays: number; chargedCents: number; refundedCents: number }]>`
    select count(*)::int as closed_days, coalesce(sum(charged_cents), 0)::float8 as charged_cents,
      coalesce(sum(refunded_cents), 0)::float8 as refunded_cents
    from orchestrator.close
    where date >= ${from} and date < ${until} and state = 'closed'
  `;
  const pharmacies = await sql<MonthOfPharmacy[]>`
    select pharmacy, sum(orders)::int as orders, sum(billed_cents)::float8 as billed_cents
    from (
      select fact.pharmacy, count(*) as orders, null as billed_cents
      from orchestrator.close_fact fact
      join orchestrator.close using (date)
      where fact.kind = 'order' and date >= ${from} and date < ${until} and close.state = 'closed'
        and fact.pharmacy is not null
      group by fact.pharmacy
      union all
      select statement.pharmacy, 0, coalesce(sum(bill.amount_cents), 0)
      from orchestrator.statement
      left join orchestrator.statement_bill bill
        on bill.statement_id = statement.id and bill.day >= ${from} and bill.day < ${until}
      where statement.removed_at is null
        and (bill.day is not null or (statement.from_day < ${until} and statement.to_day >= ${from}))
      group by statement.pharmacy
    ) figures
    group by pharmacy
  `;
  return { ...closes, pharmacies };
}
