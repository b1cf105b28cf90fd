import { afterAll, beforeAll, test } from '@jest/globals';
import { startTestSystem, type TestSystem } from '../../helpers/system.js';
import { survivesOutage } from '../outages.js';

let running: TestSystem;
beforeAll(async () => {
  running = await startTestSystem({ split: true });
});
afterAll(() => running.stop());

test.each([20, 60])(
  'the APIs killed for %d s, before and after the pharmacy took the order: all completes, once and without a warning',
  (seconds) => survivesOutage(running.system.dev, seconds),
);
