import type { Placing } from '../../domain/orchestrator/reroute.js';
import { first, type Queryable } from '../client.js';
import { closeFailedShipment } from './shipments.js';

/** The reference of a task's current order, or of its last attempt. */
export interface OrderReference extends Placing {
  n: number;
  submissionId: string | null;
  /** The pharmacy does not have its order (D138). */
  isMissing: boolean;
  /** The reroute in progress has taken it. */
  isFromReroute: boolean;
}

const columns = (sql: Queryable) => sql`
  reference, n, pharmacy, submission_id, missing_since is not null as is_missing, coalesce(created_at >= (
    select changing_since from orchestrator.task
    where task.task_id = order_reference.task_id and changing = 'reroute'
  ), false) as is_from_reroute
`;

/** The reference under which an order may exist; undefined when there is none. */
export const findLiveReference = (sql: Queryable, taskId: string) =>
  first(sql<OrderReference[]>`
    select ${columns(sql)} from orchestrator.order_reference where task_id = ${taskId} and state = 'live'
  `);

/** The reference for the next order of a task: the live one, else the next free one. */
export async function claimOrderReference(sql: Queryable, taskId: string): Promise<OrderReference> {
  return (await findLiveReference(sql, taskId)) ?? nextReference(sql, taskId, null);
}

/**
 * Takes the next reference of a task, `<task>#<n>`. Skips references and task ids that exist: a client may name a
 * task `…#2` (D105). The database allows one live reference for each task, so a repeat returns the first.
 */
export async function nextReference(
  sql: Queryable,
  taskId: string,
  pharmacy: Placing['pharmacy'],
): Promise<OrderReference> {
  for (;;) {
    const [taken] = await sql<OrderReference[]>`
      with recursive tried (number, candidate) as (
        select coalesce(max(n), 1) + 1, ${taskId}::text || '#' || coalesce(max(n), 1) + 1
        from orchestrator.order_reference where task_id = ${taskId}
        union all
        select number + 1, ${taskId}::text || '#' || number + 1
        from tried
        where exists (select from orchestrator.order_reference where reference = candidate)
          or exists (select from orchestrator.task where task_id = candidate)
      )
      insert into orchestrator.order_reference (reference, task_id, n, pharmacy)
      select candidate, ${taskId}, number, ${pharmacy}
      from tried
      order by number desc
      limit 1
      on conflict do nothing
      returning ${columns(sql)}
    `;
    const live = taken ?? (await findLiveReference(sql, taskId));
    if (live) return live;
  }
}

/**
 * Marks that no order exists under a reference: the pharmacy returned it, or did not accept it. Closes the work item of
 * its shipment. Call it in a transaction.
 */
export async function freeReference(
  sql: Queryable,
  reference: string,
  submissionId: string | null,
): Promise<void> {
  const [freed] = await sql<{ submissionId: string | null }[]>`
    update orchestrator.order_reference set
      state = 'freed', submission_id = coalesce(submission_id, ${submissionId}::uuid)
    where reference = ${reference}
    returning submission_id
  `;
  if (freed && freed.submissionId !== null) await closeFailedShipment(sql, freed.submissionId);
}

/** True if the order with this id of the router was cancelled or moved, so that nothing of it ships. */
export async function isReturned(sql: Queryable, submissionId: string): Promise<boolean> {
  const [order] = await sql<{ isReturned: boolean }[]>`
    select exists (
      select from orchestrator.pharmacy_case placed
      join orchestrator.run run on run.emr_patient_id = placed.emr_patient_id
      join orchestrator.task task on task.run_id = run.id
      join orchestrator.order_reference ref on ref.task_id = task.task_id
      where placed.submission_id = ${submissionId} and ref.submission_id = ${submissionId} and ref.state = 'freed'
    ) or exists (
      select from orchestrator.replacement where submission_id = ${submissionId} and state = 'cancelled'
    ) as is_returned
  `;
  return order?.isReturned ?? false;
}
