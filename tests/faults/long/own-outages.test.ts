import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rxWith } from '../../cli/rx.js';
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

test('rx demo --exceptions: six prescriptions that do not go to plan end as expected, in the books of everyone', async () => {
  const { exitCode, stdout, stderr } = await rxWith(
    { SCRIPTRAIL_STATE_DIR: running.stateDir },
    'demo',
    '--exceptions',
  );
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout.match(/│ ok +│/g)).toHaveLength(6);
  expect(stdout).toMatch(/All of it as expected\.\n$/);
});
