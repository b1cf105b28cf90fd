import type { ShippedAfterCancel } from '../../domain/events.js';
import { chargedOrder, isChargedAgain } from '../../domain/orchestrator/shipments.js';
import { first, type Queryable } from '../client.js';
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

/** The order that a charge made again is for; undefined for any other charge (D155). */
export async function findOrderChargedAgain(
  sql: Queryable,
  reference: string,
): Promise<{ reference: string } | undefined> {
  if (!isChargedAgain(reference)) return undefined;
  return first(sql<{ reference: string }[]>`
    select fact as reference from orchestrator.work_item
    where kind = 'shipped_after_cancel' and refers_to ->> 'submissionId' = ${chargedOrder(reference)}
    limit 1
  `);
}
