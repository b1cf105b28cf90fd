import type { Queryable } from '../client.js';

/** An order of ours as the router knows it: its reference, and the run that made it. */
export interface Order {
  reference: string;
  taskId: string;
  runId: string;
  emrPatientId: string;
  /** Medication key. */
  medication: string;
  /** The router's id; null while the run has no result yet, or one without an order. */
  submissionId: string | null;
}

/** The order of a reference; undefined for one that is not ours (D39). */
export async function findOrder(sql: Queryable, reference: string): Promise<Order | undefined> {
  const [order] = await sql<Order[]>`
    select task.task_id as reference, run.task_id, run.id as run_id, run.emr_patient_id, run.medication,
      run.result ->> 'submissionId' as submission_id
    from orchestrator.task task
    join orchestrator.run run on run.id = task.run_id
    where task.task_id = ${reference} and task.kind in ('approve', 'refill')
  `;
  return order;
}
