import { expect, test } from '@jest/globals';
import { atLength } from '../../../helpers/at-length.js';
import { shared } from '../../../helpers/client.js';
import { livePlans } from '../../../models/plan-years.js';

const count = atLength(200, 1_000);

test('plans of random phases send no fill past a closed gate, none twice, one a day at most, and lose none in a year', async () => {
  const { plans, orders, acts } = await livePlans(shared().databaseUrl, count);
  expect(plans).toBe(count);
  expect(orders).toBeGreaterThan(4 * count);
  // Each thing was done, and often enough to mean something.
  for (const [act, times] of Object.entries(acts)) expect([act, times > 10]).toEqual([act, true]);
});
