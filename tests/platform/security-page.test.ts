import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { fileOfTest, hasTitle } from '../helpers/named-tests.js';

const text = readFileSync('docs/security.md', 'utf8');

/** Reads the rows of the tables in a text, as cells. */
const rowsOf = (markdown: string): string[][] =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
const namesIn = (pattern: RegExp) =>
  rowsOf(text)
    .flat()
    .flatMap((cell) => [...cell.matchAll(pattern)].map(([, name]) => name!));

test('docs/security.md names code that exists', () => {
  const code = namesIn(
    /`((?:api|db|domain|activities|workflows|workers|platform|integrations|sandbox|dev)\/[\w./-]+\.\w+|[\w-]+\.(?:yml|json))`/g,
  );
  expect(code.length).toBeGreaterThan(30);
  expect(code.filter((path) => !existsSync(path))).toEqual([]);
});

test('docs/security.md names tests that exist', () => {
  const tests = namesIn(
    /`((?:api|cli|clients|workers|workflows|platform|dev|domain|build|browser|faults|sandbox)\/[\w/-]+)`/g,
  );
  expect(tests.length).toBeGreaterThan(30);
  expect(tests.filter((name) => fileOfTest(name) === undefined && !existsSync(name))).toEqual([]);
});

test('every threat has a defense, a place and a test', () => {
  const [, section = ''] = text.split('\n## Threats\n');
  const threats = rowsOf(section.split('\n## ')[0]!).slice(2);
  expect(threats.length).toBeGreaterThan(30);
  expect(threats.filter((cells) => cells.length !== 4 || cells.some((cell) => cell === ''))).toEqual([]);
  // The place is a path, not words.
  expect(threats.filter(([, , place]) => !/^`[\w./-]+\.\w+`/.test(place ?? ''))).toEqual([]);
  // The tests are named by path and title, and are there.
  const named = /`([\w/-]+)` “([^”]+)”/g;
  const unproved = threats.filter(
    ([, , , proof = '']) =>
      proof.replaceAll(named, '').replaceAll(', ', '') !== '' ||
      [...proof.matchAll(named)].some(([, path = '', title = '']) => !hasTitle(path, title)),
  );
  expect(unproved).toEqual([]);
});
