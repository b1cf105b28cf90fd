import type { OrderSettled } from '../../domain/events.js';
import { workItemKinds } from '../../domain/work-items.js';
import type { Queryable, Sql } from '../client.js';
import { closeWorkItem, openWorkItem, reopenAnswered } from '../work-items.js';
import { lockTask } from './cancellations.js';
import { findReportedOrder } from './orders.js';
import { readReplacement, recordNoReplacement } from './replacements.js';

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
    const references = { taskId, reference: heldBy, submissionId, pharmacy };
    if (order.isReplacement) return reportMissingReplacement(sql, references);
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
        references,
      });
    return 'recorded';
  });

interface MissingReplacement {
  taskId: string;
  reference: string;
  submissionId: string;
  pharmacy: string;
}

async function reportMissingReplacement(
  sql: Queryable,
  missing: MissingReplacement,
): Promise<'recorded' | 'busy'> {
  const replacement = await readReplacement(sql, missing.reference);
  if (replacement?.isRunning) return 'busy';
  if (replacement?.state === 'ordered') await openMissingReplacement(sql, missing);
  return 'recorded';
}

/** A replacement is ordered again as the next one, so it is not rerouted. */
const openMissingReplacement = (sql: Queryable, references: MissingReplacement): Promise<void> =>
  openWorkItem(sql, 'orchestrator', {
    ...missingOrder(references.reference),
    reason: 'not_found',
    references: { ...references },
    answers: workItemKinds.order_missing.answers.filter((answer) => answer !== 'reroute'),
  });

/** Records that an order of unknown outcome does not exist (D114), which nobody waits for any more. Idempotent. */
export const rejectUnknownReplacement = (sql: Sql, missing: MissingReplacement): Promise<void> =>
  sql.begin(async (sql) => {
    const { reference, submissionId } = missing;
    await recordNoReplacement(sql, { reference, submissionId, state: 'rejected' });
    await openMissingReplacement(sql, missing);
  });

/** Records that a pharmacy rejected a replacement, and reopens the item whose answer requested it. Idempotent. */
export const rejectReplacement = (sql: Sql, reference: string): Promise<void> =>
  sql.begin(async (sql) => {
    const [asked] = await sql<{ taskId: string; since: Date }[]>`
      select run.task_id, replacement.created_at as since
      from orchestrator.replacement
      join orchestrator.run run on run.id = replacement.run_id
      where replacement.reference = ${reference} and replacement.state = 'pending'
      for update of replacement
    `;
    await recordNoReplacement(sql, { reference, submissionId: null, state: 'rejected' });
    if (asked) await reopenAnswered(sql, 'orchestrator', { ...asked, answer: 'order_again' });
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
    else if (await readReplacement(sql, reference)) await closeMissingOrder(sql, reference);
  });

/** Closes the work item of a task or replacement that has an order again, or needs none. */
export const closeMissingOrder = (sql: Queryable, taskId: string): Promise<boolean> =>
  closeWorkItem(sql, 'orchestrator', missingOrder(taskId));

/** @param heldBy the task, the reference of a refill, or a replacement */
const missingOrder = (heldBy: string) => ({ kind: 'order_missing', fact: heldBy }) as const;
