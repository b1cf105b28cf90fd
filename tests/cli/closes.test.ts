import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sandbox, shared } from '../helpers/client.js';
import { rx, unreadRx } from './rx.js';

/** A day of long ago that no other test has. */
const freshDay = () =>
  new Date(Date.UTC(1910, 0, 1 + Math.floor(Math.random() * 7_000))).toISOString().slice(0, 10);
type Lines = { id: string; kind: string }[];

test('rx close closes a day, lists what differs, also to a reader that stops early, and settles it', async () => {
  const date = freshDay();
  const reference = randomUUID();
  await sandbox(shared(), '/shipping/shipments', {
    method: 'POST',
    body: { reference, pharmacy: 'pharmacy_a', kind: 'label', at: `${date}T18:00:00Z` },
  });
  const closed = await rx('close', date);
  expect([closed.exitCode, closed.stderr]).toEqual([0, '']);
  expect(closed.stdout).toContain(date);
  const [line] = JSON.parse((await rx('close', 'lines', date, '--json')).stdout) as Lines;
  expect(line?.kind).toBe('label_without_order');
  expect((await rx('close', 'lines', date)).stdout).toContain(reference);
  expect((await rx('close', 'lines', date, '--csv')).stdout).toMatch(/^id,reference,taskId,/);
  expect(await unreadRx('close', 'lines', date, '--csv')).toEqual({ exitCode: 0, stderr: '' });
  const settled = await rx('close', 'settle', date, line?.id ?? '', 'accept', '--note', 'By hand');
  expect([settled.exitCode, settled.stdout]).toEqual([0, expect.stringMatching(/^200\n/)]);
  expect(JSON.parse((await rx('close', 'show', date, '--json')).stdout)).toMatchObject([
    { date, differences: 1, settled: 1 },
  ]);
  expect((await rx('close', 'list', '--from', date, '--to', date)).stdout).toContain('closed');
  expect((await rx('close', 'yesterday')).stderr).toContain('Give a day as YYYY-MM-DD.');
});

test('rx statements posts a statement of CSV, lists its lines and removes it; rx prices sets a price', async () => {
  const day = freshDay();
  const file = join(mkdtempSync(join(tmpdir(), 'statement-')), 'bill.csv');
  writeFileSync(file, `pharmacyOrderId,amountCents\ncase_${day},8000\n`);
  const posted = await rx('statements', 'post', 'pharmacy_a', file, '--from', day, '--to', day);
  expect([posted.exitCode, posted.stdout]).toEqual([0, expect.stringMatching(/^201\n/)]);
  const listed = await rx(
    'statements',
    'list',
    '--pharmacy',
    'pharmacy_a',
    '--from',
    day,
    '--to',
    day,
    '--json',
  );
  const [statement] = JSON.parse(listed.stdout) as { id: string }[];
  const id = statement?.id ?? '';
  expect((await rx('statements', 'show', id)).stdout).toContain('$80.00');
  const lines = await rx('statements', 'lines', id, '--state', 'difference', '--json');
  expect(JSON.parse(lines.stdout)).toMatchObject([{ kind: 'bill_without_order' }]);
  const [line] = JSON.parse(lines.stdout) as Lines;
  const still = await rx('statements', 'settle', id, line?.id ?? '', 'recheck');
  expect([still.exitCode, still.stdout]).toEqual([1, expect.stringMatching(/^409\n/)]);
  expect((await rx('statements', 'remove', id)).exitCode).toBe(0);

  const article = `a-${randomUUID()}`;
  expect((await rx('prices', 'set', 'pharmacy_a', article, '8000', '--from', day)).exitCode).toBe(0);
  expect((await rx('prices', 'list')).stdout).toContain(article);
});
