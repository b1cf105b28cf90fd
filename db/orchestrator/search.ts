import { isUuid, type Queryable } from '../client.js';
import { stateOf } from './plans.js';

/** More than the desk shows, which leaves out what an organization may not see. */
const maxFound = 100;

/** Something that a person at the desk may open (D134). */
export interface FoundTask {
  kind: 'task' | 'schedule' | 'plan';
  /** The task as its client knows it, or the id of a schedule or plan. */
  id: string;
  client: string;
  emrPatientId: string;
  /** A medication key, or the treatment of a plan. */
  about: string;
  state: string;
  at: Date;
}

export interface Sought {
  q: string;
  emrPatientIds: readonly string[];
  /** Keys of tasks whose orders were found. */
  tasks: readonly string[];
}

/** Sorts after every text in byte order. */
const last = '\u{10ffff}';

/** Tasks, schedules and plans by their ids or the beginning of a task id, or of these patients; newest first. */
export async function searchTasks(sql: Queryable, { q, emrPatientIds, tasks }: Sought): Promise<FoundTask[]> {
  const people = sql.array([q, ...emrPatientIds]);
  const own = sql`substr(task_id, strpos(task_id, chr(31)) + 1) collate "C"`;
  const id = isUuid(q) ? q : null;
  const newest = sql`order by created_at desc limit ${maxFound}`;
  const [runs, schedules, plans] = await Promise.all([
    sql<FoundTask[]>`
      select 'task' as kind, ${own} as id, client, emr_patient_id, medication as about, status as state, created_at as at
      from (
        select distinct on (task_id) task_id, client, emr_patient_id, medication, status, created_at
        from orchestrator.run
        where (
          (${own} >= ${q} and ${own} < ${q + last})
          or task_id = any(${sql.array([...tasks])}::text[])
          or (emr_patient_id = any(${people}::text[]) and not starts_with(task_id, 'refill-'))
        )
        order by task_id, created_at desc
      ) newest
      ${newest}
    `,
    sql<FoundTask[]>`
      select 'schedule' as kind, id::text, client, emr_patient_id, medication as about, status as state, created_at as at
      from orchestrator.refill_schedule schedule
      where (id = ${id}::uuid or emr_patient_id = any(${people}::text[]))
        and not exists (select from orchestrator.plan where plan.id = schedule.id)
      ${newest}
    `,
    sql<FoundTask[]>`
      select 'plan' as kind, plan.id::text, plan.client, plan.emr_patient_id, treatment as about, ${stateOf(sql)} as state,
        plan.created_at as at
      from orchestrator.plan
      join orchestrator.refill_schedule schedule on schedule.id = plan.id
      where (plan.id = ${id}::uuid or plan.emr_patient_id = any(${people}::text[]))
      order by plan.created_at desc limit ${maxFound}
    `,
  ]);
  return [...runs, ...schedules, ...plans]
    .sort((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, maxFound);
}
