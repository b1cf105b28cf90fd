import type { BusinessDay } from './clock.js';
import type { CancelledOrder } from '../../domain/orchestrator/shipments.js';
import type { Sql } from '../client.js';
import { cancelLockedTask, lockTask } from './cancellations.js';
import { findLiveReference } from './order-references.js';
import { cancelReplacement } from './replacements.js';

/**
 * Cancels the task of an order that the pharmacy cancelled by itself (D104). For a replacement, cancels only that
 * (D120).
 * @returns `other` when the task no longer has that order; `busy` while a run is open, because its charge is not known
 * yet
 */
export async function cancelTaskOfPharmacy(
  sql: Sql,
  { heldBy, reference, submissionId, isMissing = false }: CancelledOrder,
  day: BusinessDay,
): Promise<'cancelled' | 'other' | 'busy'> {
  const replaced = await cancelReplacement(sql, { reference, withTask: false, isMissing });
  if (replaced !== 'other') return replaced;
  return sql.begin(async (sql) => {
    const task = await lockTask(sql, heldBy);
    if (!task) return 'other';
    if (task.cancelledAt !== null) return 'cancelled';
    const live = await findLiveReference(sql, heldBy);
    if (live?.reference !== reference) return 'other';
    if (task.changing === 'reroute' || task.state === 'running') return 'busy';
    await cancelLockedTask(sql, { taskId: heldBy, submissionId, day });
    return 'cancelled';
  });
}
