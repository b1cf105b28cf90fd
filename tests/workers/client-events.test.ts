import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../db/client.js';
import { listEvents, recordEvent } from '../../db/orchestrator/events.js';
import { eventually, shared } from '../helpers/client.js';
import { followLateCommits } from './late-commits.js';

const dev = shared();
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 30 });
});
afterAll(() => sql.end());

describe('Events of transactions that commit late (D129)', () => {
  test('are numbered without gaps, in the order of each task, and a reader by nextAfter misses none', () =>
    followLateCommits(sql, 12));

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
