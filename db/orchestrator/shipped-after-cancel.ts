import type { ShippedAfterCancel } from '../../domain/events.js';
import type { Queryable } from '../client.js';
import { openWorkItem } from '../work-items.js';

/**
 * Opens the work item of an order that its pharmacy sent after it had cancelled it (D155), once, even after somebody
 * closed it. Call it in a transaction.
 */
export async function reportShippedAfterCancel(
  sql: Queryable,
  { taskId, submissionId, sourceOrderId, status }: ShippedAfterCancel & { taskId: string },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`shipped after cancel ${submissionId}`}, 0))`;
  const [known] = await sql`
    select from orchestrator.work_item where kind = 'shipped_after_cancel' and fact = ${sourceOrderId}
  `;
  if (known) return;
  await openWorkItem(sql, 'orchestrator', {
    kind: 'shipped_after_cancel',
    fact: sourceOrderId,
    reason: status,
    references: { taskId, submissionId },
  });
}
