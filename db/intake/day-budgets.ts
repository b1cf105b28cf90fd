import type { Queryable } from '../client.js';

/** Budgets of a mailbox for one network address, and for all of them before entries are slowed down (D165). */
export interface Budget {
  perAddress: number;
  inAll: number;
  /** The time between entries above `inAll`. */
  pace: string;
}
const day = '1 day';

/** Keyed hashes of a mailbox and what is counted: one with the caller's network address, one in all. */
export interface BudgetKeys {
  perAddress: string;
  inAll: string;
}

/**
 * One network address uses up its own budget, for a day that starts with its first use. The budget of all only slows
 * entries down, so that nobody can lock a mailbox.
 * @returns seconds until the caller may use the budget; undefined if at once
 */
export async function waitForBudget(
  sql: Queryable,
  { perAddress, inAll }: BudgetKeys,
  budget: Budget,
): Promise<number | undefined> {
  const [used] = await sql<{ seconds: number }[]>`
    select ceil(extract(epoch from until - now()))::int as seconds
    from intake.day_budget
    cross join lateral (values
      (day_began_at + ${day}::interval, key = ${perAddress} and used >= ${budget.perAddress}),
      (last_used_at + ${budget.pace}::interval, key = ${inAll} and used >= ${budget.inAll})
    ) as spent (until, is_up)
    where key in (${perAddress}, ${inAll}) and is_up and until > now() and day_began_at > now() - ${day}::interval
    order by until desc
    limit 1
  `;
  return used && Math.max(1, used.seconds);
}

export async function spendBudget(sql: Queryable, { perAddress, inAll }: BudgetKeys): Promise<void> {
  await sql`
    insert into intake.day_budget as known (key)
    select key from unnest(${[perAddress, inAll].sort()}::text[]) as key
    on conflict (key) do update set
      day_began_at =
        case when known.day_began_at <= now() - ${day}::interval then now() else known.day_began_at end,
      used = case when known.day_began_at <= now() - ${day}::interval then 1 else known.used + 1 end,
      last_used_at = now()
  `;
}

export async function dropOldBudgets(sql: Queryable): Promise<void> {
  await sql`delete from intake.day_budget where day_began_at < now() - ${day}::interval`;
}
