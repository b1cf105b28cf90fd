import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { Feed } from '../../sandbox/feed.js';
import { Ledger } from '../../sandbox/ledger.js';

const directory = mkdtempSync(join(tmpdir(), 'scriptrail-ledger-'));
afterAll(() => rmSync(directory, { recursive: true }));

function entriesOf(file: string): unknown[] {
  const entries: unknown[] = [];
  new Ledger(file, (entry) => entries.push(entry)).close();
  return entries;
}

test('a ledger gives back what was added, in order, also what is not ASCII or longer than a read', () => {
  const file = join(directory, 'order.jsonl');
  const ledger = new Ledger<unknown>(file, () => undefined);
  const added = [{ n: 1 }, 'é'.repeat(3_000_000), { text: 'line\nbreak' }];
  for (const entry of added) ledger.append(entry);
  expect(entriesOf(file)).toEqual(added);
});

test('a half-written last line is dropped and the next entry starts a line of its own', () => {
  const file = join(directory, 'torn.jsonl');
  const ledger = new Ledger<unknown>(file, () => undefined);
  ledger.append({ n: 1 });
  appendFileSync(file, '{"n":2,"text":"ha');
  const reopened = new Ledger<unknown>(file, () => undefined);
  reopened.append({ n: 3 });
  expect(entriesOf(file)).toEqual([{ n: 1 }, { n: 3 }]);
});

test('a feed holds the newest entries and keeps its file from growing without end', () => {
  const file = join(directory, 'feed.jsonl');
  const feed = new Feed<{ n: number }>(file, ({ n }) => (n % 2 ? 'odd' : 'even'), 10);
  for (let n = 1; n <= 1000; n++) feed.add({ n });
  const numbers = (list: string) => (JSON.parse(list) as { n: number }[]).map(({ n }) => n);
  expect(numbers(feed.list())).toEqual([1000, 999, 998, 997, 996, 995, 994, 993, 992, 991]);
  expect(numbers(feed.list({ key: 'odd', limit: 2 }))).toEqual([999, 997]);
  expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThanOrEqual(41);

  const reopened = new Feed<{ n: number }>(file, () => '', 10);
  expect(numbers(reopened.list())[0]).toBe(1000);
  reopened.clear();
  expect(entriesOf(file)).toEqual([]);
});
