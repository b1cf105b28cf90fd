import { expect, test } from '@jest/globals';
import { shared } from '../../../helpers/client.js';
import { livePlans } from '../../../models/plan-years.js';

test('1,000 plans of random phases live a year as the model says', async () => {
  const { plans, orders } = await livePlans(shared().databaseUrl, 1_000);
  expect(plans).toBe(1_000);
  expect(orders).toBeGreaterThan(4_000);
});
