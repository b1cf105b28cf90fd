import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DevJson } from '../../../dev/dev-json.js';
import { patientIn } from '../../helpers/client.js';
import { startTestSystem, type TestSystem } from '../../helpers/system.js';
import { approve, chargesOf, ordersOf, semaglutideFor } from '../../api/orchestrator/approvals.js';

let testSystem: TestSystem;
let dev: DevJson;
beforeAll(async () => {
  testSystem = await startTestSystem({ env: { ACTIVITY_SLOTS: '4' } });
  dev = testSystem.system.dev;
});
afterAll(() => testSystem.stop());

test('forty approvals at once on four slots a queue all finish: waits for other services share no slots', async () => {
  const states = ['NY', 'WA', 'TX', 'OH'];
  const approvals = Array.from({ length: 40 }, (_, index) =>
    semaglutideFor(patientIn(dev, states[index % states.length]!)),
  );
  const answers = await Promise.all(approvals.map((approval) => approve(dev, approval)));
  expect(answers.map(({ status, body }) => [status, body.result.warnings])).toEqual(
    approvals.map(() => [200, []]),
  );
  for (const { taskId } of approvals) {
    expect(await ordersOf(dev, taskId)).toHaveLength(1);
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
  }
});
