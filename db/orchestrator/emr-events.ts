import type { Queryable } from '../client.js';

export async function isEmrEventKnown(sql: Queryable, eventId: string): Promise<boolean> {
  const rows = await sql`select from orchestrator.emr_event where event_id = ${eventId}`;
  return rows.length > 0;
}

/** Records an event once. Skips an event for an unknown task, unless it started an approval. */
export async function recordEmrEvent(
  sql: Queryable,
  event: { eventId: string; taskId: string; event: string; outcome: 'approval_started' | 'recorded' },
): Promise<void> {
  const { eventId, taskId, event: name, outcome } = event;
  await sql`
    insert into orchestrator.emr_event (event_id, task_id, event, outcome)
    select ${eventId}, ${taskId}, ${name}, ${outcome}
    where ${outcome} = 'approval_started'
      or exists (select from orchestrator.task where task_id = ${taskId})
      or exists (select from orchestrator.run where task_id = ${taskId})
    on conflict (event_id) do nothing
  `;
}
