import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const page = 'docs/security.md';
const text = readFileSync(page, 'utf8');
const cells = text
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .flatMap((line) => line.split('|').map((cell) => cell.trim()));
const namesIn = (pattern: RegExp) =>
  cells.flatMap((cell) => [...cell.matchAll(pattern)].map(([, name]) => name!));

it('docs/security.md names code that is there', () => {
  const code = namesIn(
    /`((?:api|db|domain|activities|workflows|platform|integrations|sandbox|dev)\/[\w./-]+\.\w+|[\w-]+\.(?:yml|json))`/g,
  );
  expect(code.length).toBeGreaterThan(30);
  expect(code.filter((path) => !existsSync(path))).toEqual([]);
});

it('and tests that are there', () => {
  const tests = namesIn(/`((?:api|cli|workers|platform|dev|build|browser|faults|sandbox)\/[\w/-]+)`/g);
  const isThere = (name: string) =>
    ['.test.ts', '.ts', ''].some((ending) => existsSync(`tests/${name}${ending}`)) || existsSync(name);
  expect(tests.length).toBeGreaterThan(30);
  expect(tests.filter((name) => !isThere(name))).toEqual([]);
});
