import { refillOf, refillTaskId } from '../../domain/orchestrator/refills.js';
import type { Fragment, Queryable } from '../client.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';

const kind = 'refill_failed';

/**
 * Opens the work item of a failed refill in the transaction that records the failure (D116). It takes the place of the
 * schedule's item about another reason or refill. A person who dismissed this one does not see it again.
 * @param reason the failed step, or how the patient left (D117)
 */
export async function reportFailedRefill(
  sql: Queryable,
  { reference, reason, workflowId }: { reference: string; reason: string; workflowId: string },
): Promise<void> {
  const refill = refillOf(reference);
  if (!refill) return;
  const { scheduleId, n } = refill;
  // A schedule that was paused or cancelled meanwhile tries this refill no more, unless it was charged already.
  const [schedule] = await sql<{ emrPatientId: string }[]>`
    select emr_patient_id from orchestrator.refill_schedule
    where id = ${scheduleId} and (status = 'active' or refills_sent >= ${n})
    for update
  `;
  if (!schedule) return;
  const fact = `${reference} ${reason}`;
  for (const earlier of await listOpen(sql, scheduleId)) {
    if (earlier.fact === fact) continue;
    // The answer in progress has not helped, so nobody in particular closes it.
    await sql`
      update orchestrator.work_item set answering = null, answering_by = null
      where kind = ${kind} and fact = ${earlier.fact}
    `;
    await closeWorkItem(sql, 'orchestrator', { kind, fact: earlier.fact });
  }
  const dismissed = await sql`
    select from orchestrator.work_item
    where kind = ${kind} and fact = ${fact} and state = 'closed' and answer = 'dismiss'
  `;
  if (dismissed.length > 0) return;
  const { emrPatientId } = schedule;
  await openWorkItem(sql, 'orchestrator', {
    kind,
    fact,
    reason,
    references: { scheduleId, taskId: refillTaskId(scheduleId), reference, emrPatientId },
    workflowId,
  });
}

/**
 * Closes the open work item about a refill, or about any refill of a schedule. Call it in the transaction that sends
 * the refill, or that pauses, cancels or completes the schedule.
 */
export async function closeFailedRefill(
  sql: Queryable,
  scheduleId: string,
  reference?: string,
): Promise<void> {
  // A change of the schedule locks it before its item.
  await sql`select from orchestrator.refill_schedule where id = ${scheduleId} for update`;
  for (const open of await listOpen(sql, scheduleId))
    if (reference === undefined || open.reference === reference)
      await closeWorkItem(sql, 'orchestrator', { kind, fact: open.fact });
}

/** The open items about a schedule's refills. Literals, so that Postgres uses the partial index. */
export const openFailures = (sql: Queryable, scheduleId: Fragment | string) => sql`
  from orchestrator.work_item
  where kind = 'refill_failed' and state <> 'closed' and refers_to ->> 'scheduleId' = ${scheduleId}
`;

const listOpen = (sql: Queryable, scheduleId: string) => sql<{ fact: string; reference: string }[]>`
  select fact, refers_to ->> 'reference' as reference ${openFailures(sql, scheduleId)}
`;
