import type { Pharmacy } from '../../domain/pharmacies.js';
import type { Replacement, ReplacementRequest } from '../../domain/orchestrator/replacement.js';
import { isOver } from '../../domain/orchestrator/replacement.js';
import { submittedFact } from '../../domain/orchestrator/events.js';
import { heldBecause } from '../../domain/orchestrator/cancellation.js';
import { first, type Fragment, type Queryable, type Sql } from '../client.js';
import { closeWorkItem } from '../work-items.js';
import { lockTask } from './cancellations.js';
import { cancelDunning } from './dunning.js';
import { recordEvent, recordEvents } from './events.js';
import { closeFailedShipment, recordPharmacyCase } from './shipments.js';

/** A replacement with its request, and whether a run works on it. */
export interface StoredReplacement extends Replacement, Pick<ReplacementRequest, 'note' | 'shipTo'> {
  isRunning: boolean;
}

/** The parcel's status decides the state of a replacement that was ordered. */
const columns = (sql: Queryable): Fragment => sql`
  replacement.n, replacement.reference, replacement.submission_id, replacement.pharmacy, replacement.reason,
  replacement.paid_by, replacement.note, replacement.ship_to, replacement.created_at as at,
  replacement.running_since is not null as is_running,
  case
    when replacement.state in ('ordered', 'unknown') and shipment.state in ('shipped', 'delivered', 'cancelled')
    then shipment.state else replacement.state
  end as state
`;
const withShipment = (sql: Queryable): Fragment => sql`
  orchestrator.replacement
  left join orchestrator.shipment on shipment.submission_id = replacement.submission_id
`;

export const readReplacement = (sql: Queryable, reference: string) =>
  first(sql<StoredReplacement[]>`
    select ${columns(sql)} from ${withShipment(sql)} where replacement.reference = ${reference}
  `);

/** The reference of the replacement that a request ordered. */
export async function findRequestedReplacement(sql: Queryable, requestKey: string) {
  const [own] = await sql<{ reference: string }[]>`
    select reference from orchestrator.replacement where request_key = ${requestKey}
  `;
  return own?.reference;
}

/** The last replacement of a task's order. */
export const findLastReplacement = (sql: Queryable, taskId: string) =>
  first(sql<StoredReplacement[]>`
    select ${columns(sql)} from ${withShipment(sql)}
    where replacement.task_id = ${taskId}
    order by replacement.n desc
    limit 1
  `);

/** The replacements of the orders of these runs, oldest first. */
export async function listReplacements(
  sql: Queryable,
  runIds: readonly string[],
): Promise<Map<string, Replacement[]>> {
  const rows = await sql<(StoredReplacement & { runId: string })[]>`
    select replacement.run_id, ${columns(sql)} from ${withShipment(sql)}
    where replacement.run_id = any(${sql.array([...runIds])}::uuid[])
    order by replacement.n
  `;
  const ofRuns = new Map<string, Replacement[]>();
  for (const { runId, ...stored } of rows)
    ofRuns.set(runId, [...(ofRuns.get(runId) ?? []), asReplacement(stored)]);
  return ofRuns;
}

/** The replacements of the orders of these tasks, oldest first. */
export async function listReplacementsOfTasks(
  sql: Queryable,
  taskIds: readonly string[],
): Promise<Replacement[]> {
  const rows = await sql<StoredReplacement[]>`
    select ${columns(sql)} from ${withShipment(sql)}
    where replacement.task_id = any(${sql.array([...taskIds])})
    order by replacement.created_at
  `;
  return rows.map(asReplacement);
}

export const asReplacement = ({
  n,
  reference,
  submissionId,
  pharmacy,
  reason,
  paidBy,
  state,
  at,
}: StoredReplacement): Replacement => ({
  n,
  reference,
  submissionId,
  pharmacy,
  reason,
  paidBy,
  state,
  at,
});

export type ClaimedReplacement =
  { state: 'claimed'; reference: string } | { state: 'taken' } | { state: 'refused'; why: string };

/**
 * Takes the next reference of a task for a replacement, `<task>~<n>`, and records the request. Skips an n whose
 * reference is a task. A task has one replacement under way at most.
 * @returns `taken` when an earlier replacement is under way
 */
export const claimReplacement = (
  sql: Sql,
  claim: ReplacementRequest & {
    taskId: string;
    pharmacy: Pharmacy;
    sourceSubmissionId: string;
    requestedBy: string;
    requestKey: string | null;
  },
): Promise<ClaimedReplacement> =>
  sql.begin(async (sql): Promise<ClaimedReplacement> => {
    const { taskId, shipTo, ...request } = claim;
    const task = await lockTask(sql, taskId);
    const why = task && heldBecause(task);
    if (!task || why !== undefined) return { state: 'refused', why: why ?? 'Task not found' };
    const last = await findLastReplacement(sql, taskId);
    if (last && !isOver(last.state)) return { state: 'taken' };
    for (let n = (last?.n ?? 0) + 1; ; n += 1) {
      const reference = `${taskId}~${n}`;
      if (!(await takeReference(sql, reference))) continue;
      const row = { reference, taskId, runId: task.runId, n, ...request };
      await sql`
        insert into orchestrator.replacement ${sql({ ...row, shipTo: shipTo && sql.json({ ...shipTo }) })}
      `;
      return { state: 'claimed', reference };
    }
  });

/** Takes a reference, so that no order of a task goes under it. @returns false when a task has it */
async function takeReference(sql: Queryable, reference: string): Promise<boolean> {
  const { count } = await sql`
    insert into orchestrator.order_reference (reference, task_id, n, state)
    select ${reference}::text, ${reference}::text, 1, 'freed'
    where not exists (select from orchestrator.task where task_id = ${reference})
    on conflict do nothing
  `;
  return count > 0;
}

/** A replacement with what its run needs. */
export interface OpenReplacement {
  reference: string;
  /** The task, or the reference of a refill. */
  heldBy: string;
  /** The task id under which the run of the first order is recorded. */
  taskId: string;
  emrPatientId: string;
  medication: string;
  paidBy: ReplacementRequest['paidBy'];
  shipTo: ReplacementRequest['shipTo'];
  pharmacy: Pharmacy;
  sourceSubmissionId: string;
  submissionId: string | null;
  pharmacyOrderId: string | null;
  state: 'pending' | 'ordered' | 'unknown' | 'rejected' | 'cancelled';
  isRunning: boolean;
  requestedBy: string | null;
}

export const findReplacement = (sql: Queryable, reference: string) =>
  first(sql<OpenReplacement[]>`
    select reference, replacement.task_id as held_by, run.task_id, run.emr_patient_id, run.medication, paid_by,
      replacement.ship_to, pharmacy, source_submission_id, submission_id, pharmacy_order_id, state,
      running_since is not null as is_running, replacement.requested_by
    from orchestrator.replacement
    join orchestrator.run on run.id = replacement.run_id
    where reference = ${reference}
  `);

interface PlacedReplacement {
  reference: string;
  submissionId: string;
  pharmacy: string;
  pharmacyOrderId: string;
}

/** Records that the pharmacy has the order. Also for an order that turned out to exist, whose run resumes (D114). */
export const recordReplacementOrder = (sql: Sql, placed: PlacedReplacement): Promise<void> =>
  sql.begin(async (sql) => {
    const { reference, submissionId, pharmacyOrderId, pharmacy } = placed;
    const [ordered] = await sql<{ runId: string; reason: string; paidBy: string }[]>`
      update orchestrator.replacement set
        state = 'ordered', submission_id = ${submissionId}, pharmacy = ${pharmacy},
        pharmacy_order_id = ${pharmacyOrderId}, running_since = coalesce(running_since, now())
      where reference = ${reference} and state in ('pending', 'unknown')
      returning run_id, reason, paid_by
    `;
    if (!ordered) return;
    const [run] = await sql<{ emrPatientId: string }[]>`
      select emr_patient_id from orchestrator.run where id = ${ordered.runId}
    `;
    await recordPharmacyCase(sql, { ...placed, emrPatientId: run?.emrPatientId ?? '' });
    const { reason, paidBy } = ordered;
    const order = { submissionId, pharmacy, reference };
    await recordEvents(sql, [
      { type: 'order.submitted', taskId: reference, fact: submittedFact(submissionId), data: order },
      {
        type: 'order.replaced',
        taskId: reference,
        fact: `order.replaced ${submissionId}`,
        data: { ...order, reason, paidBy },
      },
    ]);
  });

/** Records that the pharmacy did not answer, or rejected the order. Either ends the run. */
export async function recordNoReplacement(
  sql: Queryable,
  {
    reference,
    state,
    submissionId,
  }: { reference: string; state: 'unknown' | 'rejected'; submissionId: string | null },
): Promise<void> {
  const [ended] = await sql<{ submissionId: string | null; pharmacy: string }[]>`
    update orchestrator.replacement set
      state = ${state}, submission_id = coalesce(${submissionId}::uuid, submission_id), running_since = null
    where reference = ${reference} and state in ('pending', 'unknown')
    returning submission_id, pharmacy
  `;
  if (ended && state === 'rejected')
    await recordEvent(sql, {
      type: 'order.rejected',
      taskId: reference,
      fact: `order.rejected ${reference}`,
      data: { ...ended, reference, code: 'order_rejected' },
    });
}

/** Ends the run of a replacement. */
export async function endReplacement(sql: Queryable, reference: string): Promise<void> {
  await sql`update orchestrator.replacement set running_since = null where reference = ${reference}`;
}

/**
 * Cancels a replacement and its charge, of which all that is left is due from now on; the task stays. Idempotent.
 * @param withTask counts it in the cancellation of its task
 * @param isMissing the answer to its work item cancels it, and closes that once another one is ordered (D138)
 * @returns `busy` while a run works on it, because its charge is not known yet
 */
export const cancelReplacement = (
  sql: Sql,
  { reference, withTask, isMissing = false }: { reference: string; withTask: boolean; isMissing?: boolean },
): Promise<'cancelled' | 'busy' | 'other'> =>
  sql.begin(async (sql) => {
    const [held] = await sql<
      (Pick<OpenReplacement, 'state' | 'isRunning' | 'submissionId'> & { taskId: string })[]
    >`
      select task_id, state, submission_id, running_since is not null as is_running
      from orchestrator.replacement where reference = ${reference}
      for update
    `;
    if (!held || held.state === 'rejected') return 'other';
    if (held.state === 'cancelled') return 'cancelled';
    if (held.isRunning) return 'busy';
    await sql`update orchestrator.replacement set state = 'cancelled' where reference = ${reference}`;
    await cancelDunning(sql, reference);
    if (held.submissionId !== null) await closeFailedShipment(sql, held.submissionId);
    await closeWorkItem(sql, 'orchestrator', { kind: 'refund_failed', fact: reference });
    if (!isMissing) await closeWorkItem(sql, 'orchestrator', { kind: 'order_missing', fact: reference });
    if (withTask)
      await sql`
        update orchestrator.cancellation set replacements_cancelled = replacements_cancelled + 1
        where task_id = ${held.taskId}
      `;
    return 'cancelled';
  });

/** The replacements of a task that have not shipped, and those cancelled, whose charge may be owed back. */
export const listUnshippedReplacements = (sql: Queryable, taskId: string) =>
  sql<Pick<StoredReplacement, 'reference' | 'state' | 'isRunning'>[]>`
    select reference, state, is_running
    from (
      select ${columns(sql)} from ${withShipment(sql)} where replacement.task_id = ${taskId}
    ) as replaced
    where state in ('pending', 'ordered', 'unknown', 'cancelled')
    order by n
  `;

/** Replacements whose run is open for longer than `seconds`, oldest first. */
export const listRunningReplacements = (sql: Queryable, olderThanSeconds: number) =>
  sql<{ reference: string; taskId: string }[]>`
    select reference, run.task_id
    from orchestrator.replacement
    join orchestrator.run on run.id = replacement.run_id
    where running_since < now() - make_interval(secs => ${olderThanSeconds})
    order by running_since
    limit 200
  `;
