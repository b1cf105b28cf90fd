import type { CalendarDay } from '../../domain/calendar.js';
import type { CancelledOrder } from '../../domain/orchestrator/shipments.js';
import type { Sql } from '../client.js';
import { cancelTask, lockTask } from './cancellations.js';
import { findLiveReference } from './order-references.js';

/**
 * Cancels the task of an order that the pharmacy has cancelled by itself (D104).
 * @returns `other` for an order that the task has no more, which was given back at a reroute; `busy` while a run is at
 * the task: what it charges is not known yet
 */
export async function cancelTaskOfPharmacy(
  sql: Sql,
  { heldBy, reference, submissionId }: CancelledOrder,
  today: CalendarDay,
): Promise<'cancelled' | 'other' | 'busy'> {
  const state = await sql.begin(async (sql) => {
    const task = await lockTask(sql, heldBy);
    if (!task) return 'other';
    if (task.cancelledAt !== null) return 'cancelled';
    const live = await findLiveReference(sql, heldBy);
    if (live?.reference !== reference) return 'other';
    return task.changing === 'reroute' || task.state === 'running' ? 'busy' : 'open';
  });
  if (state !== 'open') return state;
  await cancelTask(sql, { taskId: heldBy, submissionId, today });
  return 'cancelled';
}
