import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const rooms = [
  'activities',
  'api',
  'bench',
  'cli',
  'db',
  'dev',
  'domain',
  'integrations',
  'platform',
  'sandbox',
  'starts',
  'tests',
  'workers',
  'workflows',
];

function citedIn(room: string): string[] {
  return readdirSync(room, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|sql)$/.test(entry.name))
    .flatMap(
      (entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').match(/\bD\d{1,2}\b/g) ?? [],
    );
}

test('every decision that the code cites is in docs/decisions.md', () => {
  const page = readFileSync('docs/decisions.md', 'utf8');
  const written = new Set([...page.matchAll(/^\*\*(D\d+)\b/gm)].map(([, number]) => number));
  expect(written.size).toBeGreaterThan(0);
  expect([...new Set(rooms.flatMap(citedIn))].filter((number) => !written.has(number))).toEqual([]);
});
