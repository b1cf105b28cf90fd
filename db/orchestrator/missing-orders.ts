import type { OrderSettled } from '../../domain/events.js';
import type { Queryable, Sql } from '../client.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';
import { lockTask } from './cancellations.js';
import { findReportedOrder } from './orders.js';

/**
 * Records that the pharmacy does not have the order of a task, and opens a work item (D138). Idempotent.
 * @returns `busy` while a run holds the task, which may change its order
 */
export const reportMissingOrder = (
  sql: Sql,
  { submissionId, sourceOrderId, pharmacy }: OrderSettled,
): Promise<'recorded' | 'busy'> =>
  sql.begin(async (sql) => {
    const order = await findReportedOrder(sql, sourceOrderId);
    if (!order) return 'recorded';
    const { heldBy, taskId } = order;
    const task = await lockTask(sql, heldBy);
    if (task?.cancelledAt !== null) return 'recorded';
    if (task.changing !== null || task.state === 'running') return 'busy';
    const { count } = await sql`
      update orchestrator.order_reference set missing_since = now()
      where reference = ${sourceOrderId} and state = 'live' and missing_since is null
    `;
    if (count > 0)
      await openWorkItem(sql, 'orchestrator', {
        ...missingOrder(heldBy),
        reason: 'not_found',
        references: { taskId, reference: heldBy, submissionId, pharmacy },
      });
    return 'recorded';
  });

/** Records that the pharmacy has the order after all, and closes the work item. Idempotent. */
export const recordOrderFound = (sql: Sql, reference: string): Promise<void> =>
  sql.begin(async (sql) => {
    const [found] = await sql<{ taskId: string }[]>`
      update orchestrator.order_reference set missing_since = null
      where reference = ${reference} and state = 'live' and missing_since is not null
      returning task_id
    `;
    if (found) await closeMissingOrder(sql, found.taskId);
  });

/** Closes the work item of a task that has an order again. */
export const closeMissingOrder = (sql: Queryable, taskId: string): Promise<boolean> =>
  closeWorkItem(sql, 'orchestrator', missingOrder(taskId));

const missingOrder = (taskId: string) => ({ kind: 'order_missing', fact: taskId }) as const;
