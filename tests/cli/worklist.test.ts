import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createSql } from '../../db/client.js';
import { openWorkItem } from '../../db/work-items.js';
import { developmentSuperadmin } from '../../dev/seed/admins.js';
import { eventually, shared } from '../helpers/client.js';
import { rx } from './rx.js';

interface Item {
  id: string;
  state: string;
  closedBy: string | null;
  answer: string | null;
}

test('rx worklist lists what waits, and answers it in the name of the superadmin; rx stuck answers', async () => {
  const taskId = `task-${randomUUID()}`;
  const sql = createSql(shared().databaseUrl, { applicationName: 'test', max: 1 });
  const item = {
    kind: 'charge_disputed',
    fact: taskId,
    reason: 'fraudulent',
    references: { taskId },
  } as const;
  await sql.begin((sql) => openWorkItem(sql, 'orchestrator', item));
  await sql.end();
  const listed = async (...args: string[]) =>
    JSON.parse((await rx('worklist', '--task-id', taskId, '--json', ...args)).stdout) as Item[];
  const [open] = await eventually(async () => {
    const items = await listed();
    return items.length > 0 && items;
  });
  expect(open).toMatchObject({ kind: 'charge_disputed', state: 'open' });
  const { stdout } = await rx('worklist', '--kind', 'charge_disputed', '--task-id', taskId);
  expect(stdout).toContain('fraudulent');

  const wrong = await rx('worklist', 'answer', open!.id, 'proceed');
  expect([wrong.exitCode, wrong.stdout]).toEqual([1, expect.stringMatching(/^400\n/)]);
  const answered = await rx('worklist', 'answer', open!.id, 'dismiss', '--note', 'Settled with the bank.');
  expect([answered.exitCode, answered.stderr]).toEqual([0, '']);
  expect(await listed('--state', 'closed')).toMatchObject([
    { id: open!.id, closedBy: developmentSuperadmin.email, answer: 'dismiss' },
  ]);
  expect(await listed()).toEqual([]);
  const stuck = await rx('stuck', '--json');
  // Other tests may leave more stuck runs than the list shows; the output then says so.
  expect([stuck.exitCode, Array.isArray(JSON.parse(stuck.stdout))]).toEqual([0, true]);
});
