import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Sql } from '../../db/client.js';
import { findNewestSequence, listEvents, numberEvents, recordEvent } from '../../db/orchestrator/events.js';

/**
 * Records events of 50 tasks in transactions that commit late, while one reader follows `nextAfter` and another one the
 * row's own number. The first misses none and sees each task in order; the second, a control, loses some (D129).
 */
export async function followLateCommits(sql: Sql, perTask: number): Promise<void> {
  const run = randomUUID();
  const tasks = Array.from({ length: 50 }, (_, index) => `${run}-${index}`);
  const from = await findNewestSequence(sql, '');
  // Control: a reader by the row's own number goes on from the highest it has seen.
  const byPosition = new Set<string>();
  const writes = { done: false };
  const readByPosition = async () => {
    let last = 0;
    let isLast: boolean;
    do {
      isLast = writes.done;
      const rows = await sql<{ id: string; position: number }[]>`
        select id, position::float8 from orchestrator.client_event
        where task_id like ${`${run}%`} and position > ${last} order by position
      `;
      for (const { id, position } of rows) {
        byPosition.add(id);
        last = Math.max(last, position);
      }
      await sleep(1);
    } while (!isLast);
  };
  const read: { taskId: string | null; sequence: number; n: number }[] = [];
  const readByCursor = async () => {
    const total = tasks.length * perTask;
    for (let after = from; read.length < total;) {
      const page = await listEvents(sql, { client: '', after, limit: 200 });
      if (page.nextAfter === after) await sleep(5);
      after = page.nextAfter;
      for (const { taskId, sequence, data } of page.events)
        if (taskId?.startsWith(run) && 'runId' in data)
          read.push({ taskId, sequence, n: Number(data.runId) });
    }
  };
  const writing = Promise.all(
    tasks.map(async (taskId) => {
      for (let n = 0; n < perTask; n += 1)
        await sql.begin(async (sql) => {
          await recordEvent(sql, { type: 'approval.denied', taskId, data: { runId: String(n) } });
          await sleep(Math.random() * 20);
        });
    }),
  ).finally(() => (writes.done = true));
  const numbering = (async () => {
    while (!writes.done) await Promise.all([numberEvents(sql, 7), numberEvents(sql, 7)]);
  })();
  await Promise.all([writing, numbering, readByPosition(), readByCursor()]);

  for (const taskId of tasks)
    expect(read.filter((event) => event.taskId === taskId).map(({ n }) => n)).toEqual(
      Array.from({ length: perTask }, (_, n) => n),
    );
  const numbers = await sql<{ sequence: number }[]>`
    select sequence::float8 from orchestrator.client_event where client = '' and sequence > ${from}
    order by sequence
  `;
  expect(numbers.map(({ sequence }) => sequence)).toEqual(numbers.map((_, index) => from + index + 1));
  expect(byPosition.size).toBeLessThan(tasks.length * perTask);
}
