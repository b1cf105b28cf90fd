import type { Queryable } from '../client.js';

/** What a person asked for at the desk (D135). */
export interface OrderHistoryEntry {
  at: Date;
  actor: string;
  action: string;
  note: string | null;
}

/** Notes what a person asks for, once per request. @returns whether this call noted it */
export async function noteAction(
  sql: Queryable,
  entry: { id: string; taskKey: string; actor: string; action: string; note: string | null },
): Promise<boolean> {
  const { count } = await sql`
    insert into worklist.order_history ${sql(entry)} on conflict (id) do nothing
  `;
  return count > 0;
}

/** The request was refused and has changed nothing. */
export async function dropAction(sql: Queryable, id: string): Promise<void> {
  await sql`delete from worklist.order_history where id = ${id}`;
}

export const historyOfOrder = (sql: Queryable, taskKey: string) =>
  sql<OrderHistoryEntry[]>`
    select at, actor, action, note from worklist.order_history where task_key = ${taskKey} order by at, id
  `;
