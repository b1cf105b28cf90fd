import { fillsSent, totalFills } from '../../domain/orchestrator/plans.js';
import { first, type Queryable } from '../client.js';
import { findPlan } from './plans.js';
import { findSchedule } from './refill-schedules.js';

/** Reads the fields of a task that a person needs, and those that an answer would undo. */
export interface TaskFacts {
  emrPatientId: string;
  /** Medication key. */
  medication: string;
  dosage: string | null;
  submissionId: string | null;
  amountCents: number | null;
  leftCents: number;
  refillsLeft: number;
}

/** The facts of a task, a refill or a replacement. @param reference also of a moved order (D105) */
export const findTaskFacts = (sql: Queryable, reference: string) =>
  first(sql<TaskFacts[]>`
    select run.emr_patient_id, run.medication, run.dosage, payment.amount_cents,
      (
        select submission_id::text from orchestrator.order_reference
        where order_reference.task_id = task.task_id and state = 'live'
      ) as submission_id,
      case when payment.status = 'succeeded' then amount_cents - refunded_cents else 0 end as left_cents,
      coalesce((
        select sum(total_refills_allowed - refills_sent)::int
        from orchestrator.refill_schedule
        where created_by_task = run.task_id and refill_schedule.status in ('active', 'paused')
      ), 0) as refills_left
    from orchestrator.task
    join orchestrator.run on run.id = task.run_id
    left join orchestrator.payment on payment.task_id = task.task_id
    where task.task_id = coalesce(
      (select task_id from orchestrator.order_reference ref where ref.reference = ${reference}), ${reference}
    )
    union all
    select run.emr_patient_id, run.medication, run.dosage, payment.amount_cents, replacement.submission_id::text,
      case when payment.status = 'succeeded' then amount_cents - refunded_cents else 0 end, 0
    from orchestrator.replacement
    join orchestrator.run on run.id = replacement.run_id
    left join orchestrator.payment on payment.task_id = replacement.reference
    where replacement.reference = ${reference}
  `);

/** The facts of a plan's next fill (D127); undefined for any other schedule. */
export async function findPlanFacts(sql: Queryable, id: string): Promise<TaskFacts | undefined> {
  const [plan, schedule] = [await findPlan(sql, id), await findSchedule(sql, id)];
  if (!plan || !schedule) return undefined;
  const { emrPatientId, medication, dosage } = schedule;
  const refillsLeft = totalFills(plan.phases) - fillsSent(plan.phases);
  return {
    emrPatientId,
    medication,
    dosage,
    submissionId: null,
    amountCents: null,
    leftCents: 0,
    refillsLeft,
  };
}
