import type { CancellationActivities } from '../../activities/orchestrator/cancellations.js';
import { rejectUnknownReplacement } from '../../db/orchestrator/missing-orders.js';
import { type OpenReplacement, recordReplacementOrder } from '../../db/orchestrator/replacements.js';
import { findTask } from '../../db/orchestrator/tasks.js';
import type { OrderSettled } from '../../domain/events.js';
import { replaceOrder } from '../../starts/order-changes.js';
import type { WorkerContext } from '../context.js';

/** If the order of the replacement exists, its run resumes with the charge; else it counts as rejected (D120). */
export async function settleReplacement(
  { sql, temporal }: WorkerContext,
  services: Pick<CancellationActivities, 'readOrderCancellation'>,
  { reference, taskId, heldBy, state, isRunning }: OpenReplacement,
  order: Pick<OrderSettled, 'submissionId' | 'pharmacy' | 'pharmacyOrderId'>,
): Promise<void> {
  const { submissionId, pharmacy, pharmacyOrderId } = order;
  if (isRunning) throw new Error('A run of the replacement is under way');
  if (state !== 'unknown') return;
  if ((await findTask(sql, heldBy))?.changing) throw new Error('The order is being canceled or rerouted');
  if (pharmacyOrderId === null)
    return rejectUnknownReplacement(sql, { taskId, reference, submissionId, pharmacy });
  const cancellation = await services.readOrderCancellation({ submissionId });
  if (cancellation.state === 'pending') throw new Error('The pharmacy is being asked to cancel the order');
  if (cancellation.state === 'approved') return;
  await recordReplacementOrder(sql, { reference, submissionId, pharmacy, pharmacyOrderId });
  await replaceOrder(temporal, { taskId, reference }, 0);
}
