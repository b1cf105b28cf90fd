import type { Unstarted } from '../../domain/orchestrator/emr-approval.js';
import type { Queryable, Sql } from '../client.js';
import { openWorkItem } from '../work-items.js';
import { findTask } from './tasks.js';

export interface EmrEvent {
  eventId: string;
  taskId: string;
  event: string;
  outcome: 'approval_started' | 'recorded';
  /** Why the prescription could not start an approval, although it should. */
  unstarted?: Unstarted | undefined;
}

export async function isEmrEventKnown(sql: Queryable, eventId: string): Promise<boolean> {
  const rows = await sql`select from orchestrator.emr_event where event_id = ${eventId}`;
  return rows.length > 0;
}

/**
 * Records an event once, with the work item of a prescription that starts no approval. Skips an event for an unknown
 * task that has neither.
 */
export const recordEmrEvent = (sql: Sql, recorded: EmrEvent): Promise<void> =>
  sql.begin(async (sql) => {
    const { eventId, taskId, event: name, outcome, unstarted } = recorded;
    const isReported = unstarted !== undefined && (await reportUnstarted(sql, taskId, unstarted));
    await sql`
      insert into orchestrator.emr_event (event_id, task_id, event, outcome)
      select ${eventId}, ${taskId}, ${name}, ${outcome}
      where ${outcome} = 'approval_started' or ${isReported}
        or exists (select from orchestrator.task where task_id = ${taskId})
        or exists (select from orchestrator.run where task_id = ${taskId})
      on conflict (event_id) do nothing
    `;
  });

/**
 * Opens a work item unless the task is cancelled, or is approved or denied at this moment. An approval or a denial of
 * the task closes the item (D137).
 */
async function reportUnstarted(sql: Queryable, taskId: string, reason: Unstarted): Promise<boolean> {
  const task = await findTask(sql, taskId);
  if (task && (task.cancelledAt !== null || ['running', 'completed'].includes(task.state))) return false;
  await openWorkItem(sql, 'orchestrator', {
    kind: 'approval_failed',
    fact: taskId,
    reason,
    references: { taskId, reference: taskId },
    // No request is stored that could be approved again: the EMR sends it again, or a client approves the task.
    answers: ['dismiss'],
    // An item of a failed run has more answers.
    replacesReason: task === undefined,
  });
  return true;
}
