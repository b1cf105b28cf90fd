import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const rooms = [
  'activities',
  'api',
  'cli',
  'clients',
  'db',
  'deploy',
  'dev',
  'domain',
  'evidence',
  'health',
  'integrations',
  'platform',
  'sandbox',
  'starts',
  'tests',
  'workers',
  'workflows',
];
const specification = 'docs/specification';

/** Every file of code with its comments in one line each, so that a citation is found also where it wraps. */
const texts = rooms.flatMap((room) =>
  readdirSync(room, { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.(ts|sql)$/.test(name) && name !== 'citations.test.ts')
    .map(({ name, parentPath }) => {
      const path = join(parentPath, name);
      return { path, text: readFileSync(path, 'utf8').replaceAll(/\s*\n\s*(?:\*|\/\/|--)?\s*/g, ' ') };
    }),
);

/** What the pattern's groups find, with the file that holds it. */
const cited = (pattern: RegExp): { citation: string[]; path: string }[] =>
  texts.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map((match) => ({ citation: match.slice(1).filter(Boolean), path })),
  );

/** The numbers of the list under a heading. */
function listed(page: string, heading: string): string[] {
  const [, section = ''] = readFileSync(page, 'utf8').split(`\n## ${heading}\n`);
  return [...section.split('\n## ')[0]!.matchAll(/^(\d+)\. /gm)].map(([, number]) => number!);
}

test('every decision that the code cites is in docs/decisions.md', () => {
  const page = readFileSync('docs/decisions.md', 'utf8');
  const written = new Set([...page.matchAll(/^\*\*(D\d+)\b/gm)].map(([, number]) => number));
  const citations = cited(/\b(D\d{1,3})\b/g);
  expect(citations.length).toBeGreaterThan(0);
  expect(citations.filter(({ citation: [number] }) => !written.has(number))).toEqual([]);
});

test.each([
  ['reliability point', 'Reliability points', /reliability points? (\d+)(?:(?:, | and )(\d+))?/gi],
  ['design rule', 'Design rules', /design rules? (\d+)(?:(?:, | and )(\d+))?/gi],
])('every %s that the code cites is in docs/reliability.md', (_name, heading, pattern) => {
  const written = listed('docs/reliability.md', heading);
  const citations = cited(pattern);
  expect(citations.length).toBeGreaterThan(0);
  expect(
    citations.filter(({ citation: numbers }) => !numbers.every((number) => written.includes(number))),
  ).toEqual([]);
});

test('every page that the code cites is in docs/specification, under the heading it is cited by', () => {
  const headings = new Map(
    readdirSync(specification).map((name) => [
      name[0]!,
      [...readFileSync(join(specification, name), 'utf8').matchAll(/^##+ (.+)$/gm)].map(
        ([, heading]) => `${heading!.toLowerCase()} `,
      ),
    ]),
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
