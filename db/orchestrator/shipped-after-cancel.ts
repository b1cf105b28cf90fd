import type { ShippedAfterCancel } from '../../domain/events.js';
import { chargeAgainPrefix, chargedOrder, isChargedAgain } from '../../domain/orchestrator/shipments.js';
import { first, type Queryable } from '../client.js';
import { openWorkItem } from '../work-items.js';
import { findReportedOrder } from './orders.js';
import { findRefundedCents } from './payments.js';

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

/**
 * The refunded amount of a task that no other order of it takes again, in cents (D155). Locks the refunded payment until
 * the transaction ends, so two orders of a moved task take their parts one after the other.
 * @param reference of the charge made again
 */
export async function lockRefundLeft(sql: Queryable, reference: string): Promise<number> {
  const again = await findOrderChargedAgain(sql, reference);
  const order = again && (await findReportedOrder(sql, again.reference));
  if (!order) return 0;
  await sql`select from orchestrator.payment where task_id = ${order.heldBy} for update`;
  const [taken] = await sql<[{ cents: number }]>`
    select coalesce(sum(amount_cents), 0)::int as cents
    from orchestrator.order_reference ref
    join orchestrator.work_item item on item.kind = 'shipped_after_cancel' and item.fact = ref.reference
    join orchestrator.payment on payment.task_id = ${chargeAgainPrefix} || (item.refers_to ->> 'submissionId')
    where ref.task_id = ${order.heldBy} and payment.task_id <> ${reference} and payment.status <> 'failed'
  `;
  return (await findRefundedCents(sql, order.heldBy)) - taken.cents;
}
