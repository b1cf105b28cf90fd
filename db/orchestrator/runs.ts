import { terminatedText } from '../../domain/orchestrator/cancellation.js';
import type { PipelineResult, PipelineStep } from '../../domain/orchestrator/pipeline.js';
import { failedEvent } from '../../domain/orchestrator/events.js';
import type { Queryable, Sql } from '../client.js';
import type { Waiting } from '../outbox.js';
import type { BusinessDay } from './clock.js';
import { recordEvent } from './events.js';
import { judgeUnsent } from './refill-counts.js';
import { reportFailedApproval } from './tasks.js';

/** Page 1, OrchestrationRun. */
export interface Run {
  id: string;
  workflowId: string;
  taskId: string;
  /** Whose it is (D140); '' is the default client. */
  client: string;
  medication: string;
  emrPatientId: string;
  status: 'pending' | 'completed' | 'failed' | 'denied';
  completedSteps: PipelineStep[];
  failedStep: string | null;
  error: string | null;
  warnings: string[];
  result: PipelineResult | null;
  /** When the failed payment succeeded later (D107); absent otherwise. */
  paidAt?: Date;
  /** The API key of the caller; null when no API request started the run (D88). */
  requestedBy: string | null;
  /** When a missing label was found or made after a `shipment_failed` warning (D114); absent before. */
  settledAt?: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** The runs of a task, newest first (D43). */
export async function listRunsOfTask(sql: Queryable, taskId: string): Promise<Run[]> {
  const rows = await sql<RunRow[]>`
    select ${columns(sql)}
    from orchestrator.run
    where task_id = ${taskId}
    order by created_at desc, id desc
  `;
  return rows.map(asRun);
}

type RunRow = Omit<Run, 'paidAt' | 'settledAt'> & { paidAt: Date | null; settledAt: Date | null };

const columns = (sql: Queryable) => sql`
  id, workflow_id, task_id, client, medication, emr_patient_id, status, completed_steps, failed_step, error, warnings, result, requested_by,
  settled_at, created_at, updated_at,
  case when 'payment_failed' = any(warnings) then (
    select payment.paid_at
    from orchestrator.payment payment
    where payment.task_id = case
      when starts_with(run.workflow_id, 'refill:') then replace(run.workflow_id, ':', '-')
      else run.task_id
    end
  ) end as paid_at
`;

const asRun = ({ paidAt, settledAt, ...run }: RunRow): Run => ({
  ...run,
  ...(paidAt && { paidAt }),
  ...(settledAt && { settledAt }),
});

/** Runs that are open for longer than `olderThanSeconds`, oldest first. */
export const listOpenRuns = (sql: Queryable, olderThanSeconds: number) =>
  sql<{ id: string; workflowId: string }[]>`
    select id, workflow_id
    from orchestrator.run
    where status = 'pending' and created_at < now() - make_interval(secs => ${olderThanSeconds})
    order by created_at
    limit 200
  `;

/**
 * Closes the run and task of a terminated workflow (D33). A terminated approval or refill opens a work item, unless a
 * person cancelled the task (D116, D137).
 * @param completedSteps null keeps the recorded ones
 */
export const closeTerminatedRun = (
  sql: Sql,
  runId: string,
  completedSteps: readonly PipelineStep[] | null,
  day: BusinessDay,
): Promise<void> =>
  sql.begin(async (sql) => {
    const [failed] = await sql<
      { reference: string; taskId: string; workflowId: string; isExcluded: boolean }[]
    >`
      with closed as (
        update orchestrator.run set
          status = 'failed', error = ${terminatedText}, updated_at = now(),
          completed_steps = coalesce(${completedSteps === null ? null : sql.array([...completedSteps])}::text[], completed_steps)
        where id = ${runId} and status = 'pending'
        returning id, task_id, workflow_id
      )
      update orchestrator.task set state = 'failed', updated_at = now()
      from closed
      where state = 'running' and run_id = closed.id
      returning task.task_id as reference, closed.task_id, closed.workflow_id,
        task.changing is not distinct from 'cancellation' or task.cancelled_at is not null or task.kind = 'deny'
          as is_excluded
    `;
    if (!failed) return;
    await judgeUnsent(sql, failed.reference, day);
    if (failed.isExcluded) return;
    await reportFailedApproval(sql, { ...failed, runId, reason: 'terminated', canReroute: false });
    await recordEvent(sql, failedEvent({ ...failed, runId, failedStep: null, code: 'terminated' }));
  });

/** Denials that are open for longer than `olderThanSeconds`, oldest first. */
export const listOpenDenials = (sql: Queryable, olderThanSeconds: number) =>
  sql<{ id: string; workflowId: string }[]>`
    select run.id, run.workflow_id
    from orchestrator.task task
    join orchestrator.run run on run.id = task.run_id
    where task.kind = 'deny' and task.state = 'running'
      and task.updated_at < now() - make_interval(secs => ${olderThanSeconds})
    order by task.updated_at
    limit 200
  `;

export interface RunFilter {
  /** undefined: of all clients. */
  client?: string | undefined;
  status?: Run['status'] | undefined;
  warning?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  limit: number;
  before?: { createdAt: Date; id: string };
}

/** All runs, newest first (D85). */
export async function listRuns(sql: Queryable, filter: RunFilter): Promise<Run[]> {
  const { client, status, warning, from, to, limit, before } = filter;
  const rows = await sql<RunRow[]>`
    select ${columns(sql)}
    from orchestrator.run
    where true
      ${client === undefined ? sql`` : sql`and client = ${client}`}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${warning === undefined ? sql`` : sql`and ${warning} = any(warnings) and warnings <> '{}'`}
      ${from === undefined ? sql`` : sql`and created_at >= ${from}`}
      ${to === undefined ? sql`` : sql`and created_at <= ${to}`}
      ${before === undefined ? sql`` : sql`and (created_at, id) < (${before.createdAt}, ${before.id}::uuid)`}
    order by created_at desc, id desc
    limit ${limit}
  `;
  return rows.map(asRun);
}

export async function measurePendingRuns(sql: Queryable): Promise<Waiting> {
  const [row] = await sql<[Waiting]>`
    select count(*)::int as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age_seconds
    from orchestrator.run
    where status = 'pending'
  `;
  return row;
}
