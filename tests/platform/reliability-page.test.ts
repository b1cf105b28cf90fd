import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const page = readFileSync('docs/reliability.md', 'utf8');
const [, claims = ''] = page.split('\n## Claims and their commands\n');
const rows = claims.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| --- |'));
const proofs = rows.slice(1).flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, proof = '']) => proof));

test('Every reliability point and design rule has a claim in the table.', () => {
  const numbersOf = (heading: string) => {
    const [, section = ''] = page.split(`\n## ${heading}\n`);
    return [...section.split('\n## ')[0]!.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
  };
  const claimed = (kind: string) =>
    rows.flatMap((row) =>
      [...row.matchAll(new RegExp(`\\b${kind} ([\\d, ]+)`, 'g'))].flatMap(([, numbers = '']) =>
        numbers.split(',').map(Number),
      ),
    );
  const ascending = (numbers: number[]) =>
    [...new Set(numbers)].filter((one) => one > 0).sort((a, b) => a - b);
  expect(ascending(claimed('point'))).toEqual(numbersOf('Reliability points'));
  expect(ascending(claimed('rule'))).toEqual(numbersOf('Design rules'));
});

test('Every claim names evidence and tests that exist.', () => {
  const evidence = readFileSync('evidence/main.ts', 'utf8');
  const exists = (proof: string) => {
    const [, name] = /^evidence ([\w-]+)$/.exec(proof) ?? [];
    if (name !== undefined) return new RegExp(`^  '?${name}'?: \\{$`, 'm').test(evidence);
    if (proof === '.ci/run' || proof === 'npm run lint') return true;
    return existsSync(`tests/${proof}`) || existsSync(`tests/${proof}.test.ts`);
  };
  expect(proofs.length).toBeGreaterThan(40);
  expect(proofs.filter((proof) => !exists(proof))).toEqual([]);
  expect(rows.filter((row) => !row.includes('`'))).toEqual([rows[0]]);
});
