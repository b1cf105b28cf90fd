import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { systemOf } from '../../domain/pharmacies.js';
import { routableStates } from '../../domain/us-states.js';

const migration = new URL('../../db/migrations/router/0010_submissions.sql', import.meta.url);

test('the first migration routes each state as page 1, Routing configuration, says, and 5 states to no pharmacy', async () => {
  const sql = await readFile(migration, 'utf8');
  const states = Object.fromEntries<string[]>(
    [...sql.matchAll(/\('(pharmacy_[abc])', '([A-Z ]+)'\)/g)].map(([, pharmacy, codes]) => [
      pharmacy!,
      codes!.split(' '),
    ]),
  );
  expect(states['pharmacy_b']).toEqual(['TX']);
  expect(states['pharmacy_c']!.sort().join(' ')).toBe(
    'AL AZ CO CT FL GA IL IN KS KY LA NJ NV NY OH PA TN WI',
  );
  expect(states['pharmacy_a']).toHaveLength(27);
  const routed = Object.values(states).flat();
  expect(routed).toHaveLength(46);
  expect(routableStates.filter((state) => !routed.includes(state)).sort()).toEqual([
    'AR',
    'CA',
    'MN',
    'NC',
    'OK',
  ]);
});

test("pharmacy_c's orders are placed by pharmacy_a's adapter", () => {
  expect(systemOf('pharmacy_a')).toBe('pharmacy_a');
  expect(systemOf('pharmacy_b')).toBe('pharmacy_b');
  expect(systemOf('pharmacy_c')).toBe('pharmacy_a');
});
