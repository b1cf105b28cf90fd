import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../db/client.js';
import { findNewestSequence, listEvents, numberEvents, recordEvent } from '../../db/orchestrator/events.js';
import { eventually, shared } from '../helpers/client.js';

const dev = shared();
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 30 });
});
afterAll(() => sql.end());

describe('Events of transactions that commit late (D129)', () => {
  test('are numbered without gaps, in the order of each task, and a reader by nextAfter misses none', async () => {
    const run = randomUUID();
    const perTask = Number(process.env['EVENTS_PER_TASK'] ?? 12);
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
      let after = from;
      const total = tasks.length * perTask;
      await eventually(async () => {
        const page = await listEvents(sql, { client: '', after, limit: 100 });
        after = page.nextAfter;
        for (const { taskId, sequence, data } of page.events)
          if (taskId?.startsWith(run))
            read.push({ taskId, sequence, n: Number('runId' in data && data.runId) });
        return writes.done && read.length >= total;
      });
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
  }, 120_000);

  test('are shown only with their number, and are recorded once per fact', async () => {
    const taskId = randomUUID();
    const event = { type: 'approval.denied', taskId, data: { runId: 'x' }, fact: taskId } as const;
    await sql.begin(async (sql) => {
      await recordEvent(sql, event);
      const page = await listEvents(sql, { client: '', after: 0, taskId, limit: 5 });
      expect(page.events).toEqual([]);
    });
    await recordEvent(sql, event);
    const stored = await eventually(async () => {
      const rows = await sql<{ sequence: number | null }[]>`
        select sequence::float8 from orchestrator.client_event where task_id = ${taskId}
      `;
      return rows.every(({ sequence }) => sequence !== null) && rows;
    });
    expect(stored).toHaveLength(1);
  });
});
