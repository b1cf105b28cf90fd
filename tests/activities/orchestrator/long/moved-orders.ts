import { randomUUID } from 'node:crypto';
import { db } from '../../real-parts.js';

/** A task, another task whose id looks like the reference of a moved order, and such a reference of the first task. */
export async function referencesOfTwoTasks(): Promise<readonly [string, string, string]> {
  const task = `moved-${randomUUID()}`;
  const [other, moved] = [`${task}#2`, `${task}#3`];
  await db`
    insert into orchestrator.order_reference (reference, task_id, n, state)
    values (${task}, ${task}, 1, 'freed'), (${moved}, ${task}, 3, 'live'), (${other}, ${other}, 1, 'live')
  `;
  return [task, other, moved];
}
