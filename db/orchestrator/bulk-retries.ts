import { partyOf, type PipelineStep } from '../../domain/orchestrator/pipeline.js';
import type {
  RetriedOutcome,
  BulkRetryProgress,
  BulkRetrySelection,
  RefillRules,
} from '../../domain/orchestrator/bulk-retry.js';
import { first, type Queryable, type Sql } from '../client.js';
import { isUnpaid } from './refill-checks.js';

/** A failed run that can be retried, with the data that its retry needs. */
export interface RetryableRun {
  step: PipelineStep;
  requestedBy: string;
  runId: string;
  workflowId: string;
  kind: 'approve' | 'refill';
  /** The task id, or the reference of a refill. */
  reference: string;
  taskId: string;
  detailsHash: string;
  medication: string;
  emrPatientId: string;
  dosage: string | null;
  /** null when the run failed before step 4. */
  order: { submissionId: string; pharmacy: string; pharmacyOrderId: string } | null;
  /** The last charge; null when there was none. */
  charge: { attempt: number; amountCents: number } | null;
  /** How many notices to the patient failed. */
  noticeAttempt: number;
}

/**
 * Runs that failed at the step and hold their task. Excludes cancelled tasks, failures whose charge, label or notice
 * succeeded later, and refills that the check would not send today.
 */
const stillFailed = (sql: Queryable, step: PipelineStep, rules: RefillRules) => sql`
  orchestrator.run run
  join orchestrator.task task on task.run_id = run.id and task.kind in ('approve', 'refill')
  left join orchestrator.payment payment on payment.task_id = task.task_id
  where task.cancelled_at is null and task.changing is null and ${failedAt(sql, step, rules)}
`;

function failedAt(sql: Queryable, step: PipelineStep, rules: RefillRules) {
  // `warnings <> '{}'` lets Postgres use the partial index.
  const warned = sql`
    task.state = 'completed' and ${`${step}_failed`} = any(run.warnings) and run.warnings <> '{}'
  `;
  switch (step) {
    case 'payment':
      return sql`${warned} and payment.status = 'failed' and not exists (
        select from orchestrator.payment_recovery given_up
        where given_up.reference = task.task_id and given_up.state = 'cancelled'
      )`;
    case 'shipment':
      return sql`${warned} and run.settled_at is null and not exists (
        select from orchestrator.shipment made where made.submission_id = (run.result ->> 'submissionId')::uuid
      )`;
    case 'notification':
      return sql`${warned} and run.notified_at is null`;
    default:
      return sql`
        task.state = 'failed' and run.status = 'failed' and run.failed_step = ${step}
        and (task.kind = 'approve' or ${isDue(sql, rules)})
      `;
  }
}

/** The refill is the next one of an active schedule, due, not held by an unpaid charge, and its gate is open. */
const isDue = (sql: Queryable, { today, whenUnpaid }: RefillRules) => sql`exists (
  select from orchestrator.refill_schedule schedule
  where schedule.id = substring(run.task_id from '^refill-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$')::uuid
    and task.task_id = run.task_id || '-' || (schedule.refills_sent + 1)
    and schedule.status = 'active' and schedule.refills_sent < schedule.total_refills_allowed
    and schedule.next_fill_date <= ${today}
    ${whenUnpaid === 'hold' ? sql`and not ${isUnpaid(sql)}` : sql``}
    and not exists (
      select from orchestrator.plan where plan.id = schedule.id and jsonb_array_length(plan.waiting) > 0
    )
)`;

const chosen = (sql: Queryable, { step, from, to, error, ...rules }: BulkRetrySelection) => sql`
  select run.id, run.task_id, task.task_id as reference, run.updated_at
  from ${stillFailed(sql, step, rules)} and run.updated_at >= ${from}
    -- timestamps in requests have milliseconds
    and run.updated_at < ${to}::timestamptz + interval '1 millisecond'
    ${
      error === undefined
        ? sql``
        : sql`and (strpos(run.error, ${error}) > 0 or strpos(payment.reason, ${error}) > 0 or exists (
            select from orchestrator.downstream_call call
            where call.run_workflow_id = run.workflow_id and call.created_at >= run.created_at
              and call.type = ${partyOf[step] ?? null} and strpos(call.error, ${error}) > 0
          ))`
    }
`;

/** The number of failed runs, and the first task ids. */
export async function countFailed(
  sql: Queryable,
  selection: BulkRetrySelection,
  shown: number,
): Promise<{ selected: number; taskIds: string[] }> {
  const [counted] = await sql<[{ selected: number; taskIds: string[] }]>`
    with chosen as (${chosen(sql, selection)})
    select (select count(*)::int from chosen) as selected,
      array(select task_id from chosen order by updated_at, id limit ${shown}) as task_ids
  `;
  return counted;
}

/** Stores all runs that still fail as the items of one bulk retry. */
export const openBulkRetry = (
  sql: Sql,
  recovery: { id: string; perMinute: number; requestedBy: string },
  selection: BulkRetrySelection,
  shown: number,
): Promise<{ selected: number; taskIds: string[] }> =>
  sql.begin(async (sql) => {
    const { id, perMinute, requestedBy } = recovery;
    await sql`
      insert into orchestrator.recovery (id, step, per_minute, requested_by)
      values (${id}, ${selection.step}, ${perMinute}, ${requestedBy})
    `;
    const [opened] = await sql<[{ selected: number; taskIds: string[] }]>`
      with chosen as (${chosen(sql, selection)}), noted as (
        insert into orchestrator.recovery_item (recovery_id, position, run_id, reference)
        select ${id}, row_number() over (order by updated_at, id), id, reference from chosen
      )
      select (select count(*)::int from chosen) as selected,
        array(select task_id from chosen order by updated_at, id limit ${shown}) as task_ids
    `;
    return opened;
  });

export const findBulkRetry = (sql: Queryable, id: string) =>
  first(sql<BulkRetryProgress[]>`
    select state, count(item.position)::int as selected, count(outcome)::int as done,
      count(*) filter (where outcome = 'succeeded')::int as succeeded,
      count(*) filter (where outcome = 'failed')::int as failed,
      count(*) filter (where outcome = 'skipped')::int as skipped
    from orchestrator.recovery
    left join orchestrator.recovery_item item on recovery_id = id
    where id = ${id}
    group by id
  `);

/** The next positions without an outcome, and the pace. */
export async function listTurns(
  sql: Queryable,
  id: string,
  size: number,
): Promise<{ perMinute: number; positions: number[] }> {
  const [turns] = await sql<{ perMinute: number; positions: number[] }[]>`
    select per_minute, array(
      select position from orchestrator.recovery_item
      where recovery_id = ${id} and outcome is null
      order by position
      limit ${size}
    ) as positions
    from orchestrator.recovery
    where id = ${id}
  `;
  return turns ?? { perMinute: 1, positions: [] };
}

/**
 * Finds the run at a position.
 * @returns null when it no longer counts as failed, is not due, or another run holds the task; undefined once the bulk
 * retry has ended
 */
export async function findRetryableRun(
  sql: Queryable,
  { recoveryId, position }: { recoveryId: string; position: number },
  rules: RefillRules,
): Promise<RetryableRun | null | undefined> {
  const [turn] = await sql<{ step: PipelineStep; requestedBy: string; runId: string }[]>`
    select step, requested_by, run_id
    from orchestrator.recovery
    join orchestrator.recovery_item on recovery_id = id
    where id = ${recoveryId} and position = ${position} and state = 'running' and outcome is null
  `;
  if (!turn) return undefined;
  const { step, requestedBy, runId } = turn;
  const [found] = await sql<Omit<RetryableRun, 'step' | 'requestedBy'>[]>`
    select run.id as run_id, run.workflow_id, task.kind, task.task_id as reference, run.task_id, task.details_hash,
      run.medication, run.emr_patient_id, run.dosage, run.notice_attempt,
      (
        select jsonb_build_object(
          'submissionId', placed.submission_id, 'pharmacy', placed.pharmacy, 'pharmacyOrderId', placed.case_id
        )
        from orchestrator.pharmacy_case placed
        where placed.submission_id = (run.result ->> 'submissionId')::uuid
        limit 1
      ) as "order",
      case when payment.task_id is not null then
        jsonb_build_object('attempt', payment.attempt, 'amountCents', payment.amount_cents)
      end as charge
    from ${stillFailed(sql, step, rules)} and run.id = ${runId}
  `;
  return found ? { ...found, step, requestedBy } : null;
}

/**
 * Records the outcome of one item; the first outcome stays.
 * @param outcome `charged` takes the outcome from the payment
 */
export async function recordRetriedRun(
  sql: Queryable,
  {
    recoveryId,
    position,
    outcome,
  }: { recoveryId: string; position: number; outcome: RetriedOutcome | 'charged' },
): Promise<void> {
  await sql`
    update orchestrator.recovery_item item set outcome = case
      when ${outcome}::text <> 'charged' then ${outcome}::text
      when exists (
        select from orchestrator.payment where task_id = item.reference and status = 'succeeded'
      ) then 'succeeded'
      else 'failed'
    end
    where recovery_id = ${recoveryId} and position = ${position} and outcome is null
  `;
}

export async function endBulkRetry(
  sql: Queryable,
  id: string,
  state: 'completed' | 'cancelled',
): Promise<void> {
  await sql`
    update orchestrator.recovery set state = ${state}, ended_at = now() where id = ${id} and state = 'running'
  `;
}

/** Records whether the retried notice reached the patient. */
export async function recordNotice(
  sql: Queryable,
  { runId, attempt, isSent }: { runId: string; attempt: number; isSent: boolean },
): Promise<void> {
  await (isSent
    ? sql`update orchestrator.run set notified_at = coalesce(notified_at, now()) where id = ${runId}`
    : sql`
        update orchestrator.run set notice_attempt = ${attempt + 1}
        where id = ${runId} and notice_attempt = ${attempt} and notified_at is null
      `);
}

/** Bulk retries running for longer than `seconds`, oldest first: their workflows may be gone. */
export async function listRunningBulkRetries(sql: Queryable, olderThanSeconds: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from orchestrator.recovery
    where state = 'running' and created_at < now() - make_interval(secs => ${olderThanSeconds})
    order by created_at
    limit 200
  `;
  return rows.map(({ id }) => id);
}
