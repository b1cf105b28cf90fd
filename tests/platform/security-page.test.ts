import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it, test } from '@jest/globals';
import { controls } from '../../dev/security-controls/controls.js';
import { withoutGuard } from '../../dev/security-controls/run.js';

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

test('it lists the guards that npm run security-controls takes away (WRITE_SECURITY_CONTROLS=yes writes them)', () => {
  const [before = '', after = ''] = [text.split('<!-- controls -->')[0], text.split('<!-- /controls -->')[1]];
  const rows = controls.map(
    ({ finding, guard, file, test, name }) =>
      `| ${finding} | ${guard} | \`${file}\` | \`${test}\`: ${name} |`,
  );
  const head = ['| finding | guard taken away | in | test that failed |', '| --- | --- | --- | --- |'];
  const table = ['<!-- controls -->', '', ...head, ...rows, '', '<!-- /controls -->'].join('\n');
  const current = before + table + after;
  if (process.env['WRITE_SECURITY_CONTROLS'] === 'yes') writeFileSync(page, current);
  else expect(text).toBe(current);
});

test('every finding that is not open has a guard there, which stands where it says and can be taken away', () => {
  const findings = text
    .split('\n')
    .flatMap((line) => /^\| ([CHML]\d+) \| [^|]+ \| (?!Open)/.exec(line)?.slice(1) ?? []);
  expect(new Set(controls.map(({ finding }) => finding))).toEqual(new Set(findings));
  for (const control of controls)
    expect(() => withoutGuard(readFileSync(control.file, 'utf8'), control)).not.toThrow();
});
