import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { errorCodes, errorHeaders, type ErrorCode } from '../../api/error-codes.js';

const codes = Object.keys(errorCodes) as ErrorCode[];

test('The page lists every error code with its statuses and whether to retry', () => {
  const rows = [
    ...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `(\w+)` +\| ([\d, ]+?) +\| (\w+) +\|/gm),
  ];
  const told = rows.map(([, code, statuses, retryable]) => ({ code, statuses, retryable }));
  expect(told).toEqual(
    codes.map((code) => {
      const statuses: readonly number[] = errorCodes[code].statuses;
      return {
        code,
        statuses: statuses.join(', '),
        retryable: errorHeaders(statuses[0]!, code)['error-retryable'],
      };
    }),
  );
});

test('A code is retryable or not, whatever its status', () => {
  for (const code of codes) {
    const told = errorCodes[code].statuses.map((status) => errorHeaders(status, code)['error-retryable']);
    expect([code, new Set(told).size]).toEqual([code, 1]);
  }
});

test('Every error code is expected by a test', () => {
  const tests = readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('errors-page'))
    .map((name) => readFileSync(`tests/${name}`, 'utf8'))
    .join('');
  expect(codes.filter((code) => !tests.includes(`'${code}'`))).toEqual([]);
});
