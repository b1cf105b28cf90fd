import type { Queryable, Sql } from '../client.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';

/**
 * True when a charge is fully refunded, or a work item about its rejected refund is open and nobody has answered it
 * with `retry`.
 */
export async function isRefundSettled(sql: Queryable, taskId: string): Promise<boolean> {
  const rows = await sql`
    select from orchestrator.payment
    where task_id = ${taskId} and (refunded_cents >= amount_cents or exists (
      select from orchestrator.work_item
      where kind = 'refund_failed' and fact = ${taskId} and state <> 'closed' and answering is distinct from 'retry'
    ))
  `;
  return rows.length > 0;
}

/** Records the refunded amount, which never decreases, and closes the work item about a rejected refund. */
export const recordRefund = (
  sql: Sql,
  { taskId, refundedCents }: { taskId: string; refundedCents: number },
): Promise<void> =>
  sql.begin(async (sql) => {
    await sql`
      update orchestrator.payment set
        refunded_cents = greatest(refunded_cents, least(${refundedCents}, amount_cents)), updated_at = now()
      where task_id = ${taskId}
    `;
    await closeWorkItem(sql, 'orchestrator', { kind: 'refund_failed', fact: taskId });
  });

/** Opens a work item for a refund that the processor rejected, unless the charge is fully refunded. */
export const recordRefusedRefund = (
  sql: Sql,
  { taskId, workflowId }: { taskId: string; workflowId: string },
): Promise<void> =>
  sql.begin(async (sql) => {
    const owed = await sql`
      select from orchestrator.payment where task_id = ${taskId} and refunded_cents < amount_cents for update
    `;
    if (owed.length === 0) return;
    await openWorkItem(sql, 'orchestrator', {
      kind: 'refund_failed',
      fact: taskId,
      reason: 'refused',
      references: { taskId },
      workflowId,
    });
  });
