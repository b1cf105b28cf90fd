import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { fileOfTest } from '../helpers/named-tests.js';

/** Top-level folders with no code of ours, or with code that is made. */
const withoutCode = ['node_modules', 'docs', 'dist', 'observability'];
const rooms = readdirSync('.', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !withoutCode.includes(entry.name))
  .map(({ name }) => name);

/** Every file of code with its comments in one line each, so that a citation is found also where it wraps. */
const texts = rooms.flatMap((room) =>
  readdirSync(room, { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => /\.(ts|sql)$/.test(name) && !parentPath.includes('node_modules'))
    .filter(({ name }) => name !== 'citations.test.ts')
    .map(({ name, parentPath }) => {
      const path = join(parentPath, name);
      return { path, text: readFileSync(path, 'utf8').replaceAll(/\s*\n\s*(?:\*|\/\/|--)?\s*/g, ' ') };
    }),
);

/** Lists what the pattern's groups match, with the file that holds it. */
const cited = (pattern: RegExp): { citation: string[]; path: string }[] =>
  texts.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map((match) => ({ citation: match.slice(1).filter(Boolean), path })),
  );

const read = (page: string) => readFileSync(join('docs', page), 'utf8');

/** Lists the numbers of the list under a heading. */
function listed(page: string, heading: string): string[] {
  const [, section = ''] = read(page).split(`\n## ${heading}\n`);
  return [...section.split('\n## ')[0]!.matchAll(/^(\d+)\. /gm)].map(([, number]) => number!);
}

const titlesOf = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!);

const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);

test('every decision that the code cites is explained in docs', () => {
  const explained = new Set(pages.flatMap((page) => read(page).match(/\bD\d{1,3}\b/g) ?? []));
  const citations = cited(/\b(D\d{1,3})\b/g);
  expect(citations.length).toBeGreaterThan(0);
  expect(citations.filter(({ citation: [number = ''] }) => !explained.has(number))).toEqual([]);
});

test('every test that a page names exists', () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/\bTests?:\s((?:`[\w/-]+`[,\s]*)+)/g)].flatMap(([, list = '']) =>
      [...list.matchAll(/`([^`]+)`/g)].map(([, path]) => path!),
    ),
  );
  expect(named.length).toBeGreaterThan(50);
  expect([...new Set(named)].filter((path) => fileOfTest(path) === undefined)).toEqual([]);
});

test.each([
  ['reliability point', 'Reliability points', /reliability points? (\d+)(?:(?:, | and )(\d+))?/gi],
  ['design rule', 'Design rules', /design rules? (\d+)(?:(?:, | and )(\d+))?/gi],
])('every %s that the code cites is in docs/reliability.md', (_name, heading, pattern) => {
  const written = listed('reliability.md', heading);
  const citations = cited(pattern);
  expect(citations.length).toBeGreaterThan(0);
  expect(
    citations.filter(({ citation: numbers }) => !numbers.every((number) => written.includes(number))),
  ).toEqual([]);
});

test('every page that the code cites is in docs/services, under the heading it is cited by', () => {
  const common = read('services/README.md');
  const headings = new Map(
    [...common.matchAll(/^\| (\d) +\| (.+) \|$/gm)].map(([, page = '', links = '']) => {
      const files = [...links.matchAll(/\((\w+\.md)\)/g)].map(([, file]) => read(join('services', file!)));
      return [
        page,
        [common, ...files].flatMap((text) => titlesOf(text).map((title) => `${title.toLowerCase()} `)),
      ];
    }),
  );
  const citations = cited(/\bpages? (\d)\b(?:, (?!D\d)((?:[^;):,.'"]|:\b)*))?/gi);
  expect(citations.length).toBeGreaterThan(0);
  expect(
    citations.filter(({ citation: [page = '', heading], path }) => {
      // A migration that was applied keeps its words.
      if (heading === undefined) return !path.endsWith('.sql') || !headings.has(page);
      return !headings.get(page)?.some((written) => `${heading.toLowerCase()} `.startsWith(written));
    }),
  ).toEqual([]);
});
