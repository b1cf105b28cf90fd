import { expect, it } from '@jest/globals';
import { mailing } from '../../replay/cases/send-invitation.js';
import { outage } from '../orchestrator/pipeline-activities.js';
import { useRuns } from '../runs.js';

const { run } = useRuns('sendInvitation');

it('an invitation is given up after 72 h, is red, and its history stays short', async () => {
  const { failure, inputs, handle, tookMs } = await run(mailing(outage, {}));
  expect(failure).toMatchObject({ message: 'The invitation could not be mailed within 72 h' });
  const entries = inputs('finishNotification') as { status: string }[];
  expect(entries.every(({ status }) => status === 'failed')).toBe(true);
  const hours = (await tookMs()) / 3_600_000;
  expect(hours).toBeGreaterThanOrEqual(72);
  expect(hours).toBeLessThan(74);
  expect((await handle.describe()).historyLength).toBeLessThan(2_000);
});
