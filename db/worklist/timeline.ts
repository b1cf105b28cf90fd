import type { Queryable } from '../client.js';

/** An item in a timeline. Names of people stay in the item's history. */
export interface ItemOfTask {
  title: string;
  reason: string;
  workflowId: string | null;
  openedAt: Date;
  closedAt: Date | null;
  answer: string | null;
  state: 'open' | 'snoozed' | 'closed';
}

/** The items of these tasks and submissions, oldest first (D111). */
export const listItemsOf = (
  sql: Queryable,
  {
    taskIds,
    submissionIds,
    client = '',
  }: { taskIds: readonly string[]; submissionIds: readonly string[]; client?: string | undefined },
) =>
  sql<ItemOfTask[]>`
    select title, reason, workflow_id, opened_at, closed_at, answer,
      case when closed_at is not null then 'closed' when snoozed_until > now() then 'snoozed' else 'open' end as state
    from worklist.work_item
    where (
      refers_to ->> 'taskId' = any(${sql.array([...taskIds])}) and coalesce(refers_to ->> 'client', '') = ${client}
    )
      or refers_to ->> 'submissionId' = any(${sql.array([...submissionIds])})
    order by opened_at
  `;
