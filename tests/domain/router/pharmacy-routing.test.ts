import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { systemOf } from '../../../domain/pharmacies.js';
import { assignedPharmacy } from '../../../domain/router/pharmacy-routing.js';
import { routableStates } from '../../../domain/us-states.js';

const migration = new URL('../../../db/migrations/router/0010_submissions.sql', import.meta.url);

describe('the pharmacy of a state', () => {
  test.each([
    ['NY', 'pharmacy_c'],
    ['LA', 'pharmacy_c'],
    ['TX', 'pharmacy_b'],
    ['WA', 'pharmacy_a'],
    ['DC', 'pharmacy_a'],
    ['CA', undefined],
    ['MN', undefined],
    ['PR', undefined],
    ['ny', undefined],
  ])('%s is %s', (state, pharmacy) => expect(assignedPharmacy(state)).toBe(pharmacy));

  test('18 states go to pharmacy_c, one to pharmacy_b, 27 to pharmacy_a, 5 to none', () => {
    const counts = new Map<string, number>();
    for (const state of routableStates) {
      const pharmacy = assignedPharmacy(state) ?? 'none';
      counts.set(pharmacy, (counts.get(pharmacy) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({ pharmacy_a: 27, pharmacy_b: 1, pharmacy_c: 18, none: 5 });
  });

  test('the migration seeds the routing table with exactly these assignments', async () => {
    const sql = await readFile(migration, 'utf8');
    const seeded = [...sql.matchAll(/\('(pharmacy_[abc])', '([A-Z ]+)'\)/g)].flatMap(([, pharmacy, codes]) =>
      codes!.split(' ').map((state) => [state, pharmacy]),
    );
    const assigned = routableStates.flatMap((state) => {
      const pharmacy = assignedPharmacy(state);
      return pharmacy === undefined ? [] : [[state, pharmacy]];
    });
    expect(seeded.sort()).toEqual(assigned.sort());
  });
});

test("pharmacy_c's orders are placed by pharmacy_a's adapter", () => {
  expect(systemOf('pharmacy_a')).toBe('pharmacy_a');
  expect(systemOf('pharmacy_b')).toBe('pharmacy_b');
  expect(systemOf('pharmacy_c')).toBe('pharmacy_a');
});
