import { expect, test } from '@jest/globals';
import { planOf } from './campaign/plan.js';
import { sliceOnItsOwn } from './campaign/slice.js';

test('a short campaign of kills and lost answers: the parties have everything once, and each planted fault is seen', async () => {
  const plan = planOf({ seed: 1, slice: 0, split: true, stories: 12, lanes: 4 });
  const { findings, missed } = await sliceOnItsOwn(plan, () => undefined);
  expect([findings, missed]).toEqual([[], []]);
});
