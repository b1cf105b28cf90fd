import { clientOfKey } from '../../domain/clients.js';
import type { Queryable } from '../client.js';

const ofSchedule = /^refill-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i;

/** The schedule of a refill's task or reference, in any form; undefined for any other. */
const scheduleOf = (reference: string): string | undefined => ofSchedule.exec(reference)?.[1];

/** The client of a task or reference (D140): the key names it, and a refill belongs to the client of its schedule. */
export async function clientOf(sql: Queryable, reference: string): Promise<string> {
  const scheduleId = scheduleOf(reference);
  return (
    (scheduleId === undefined ? undefined : await clientOfSchedule(sql, scheduleId)) ?? clientOfKey(reference)
  );
}

/** The task whose order, charge or refill has this reference, as events name it; an unknown reference as it is. */
export async function taskOf(sql: Queryable, reference: string): Promise<string> {
  const [row] = await sql<[{ taskId: string }]>`select orchestrator.task_of(${reference}) as task_id`;
  return row.taskId;
}

/** @returns undefined for an unknown schedule */
async function clientOfSchedule(sql: Queryable, scheduleId: string): Promise<string | undefined> {
  const [schedule] = await sql<{ client: string }[]>`
    select client from orchestrator.refill_schedule where id = ${scheduleId}
  `;
  return schedule?.client;
}
