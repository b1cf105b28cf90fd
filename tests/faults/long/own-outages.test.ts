import { expect, test } from '@jest/globals';
import { createSql } from '../../../db/client.js';
import { startTestSystem } from '../../helpers/system.js';
import {
  approve,
  chargesOf,
  endedRun,
  messagesTo,
  ordersOf,
  runsOf,
} from '../../api/orchestrator/approvals.js';
import { eventually } from '../../helpers/client.js';
import { clearFaults, faultsMet, setFault } from '../faults.js';
import { approvalIn, keepAway } from '../outages.js';

test('an outage longer than OWN_OUTAGE_MINUTES fails the run and waits for a person; approved again, all is done once', async () => {
  const short = await startTestSystem({ split: true, env: { OWN_OUTAGE_MINUTES: '0.1' } });
  const { dev } = short.system;
  const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  try {
    await setFault(dev, {
      target: 'pharmacy_a',
      operation: 'order',
      kind: 'delay',
      delayMs: 2_000,
      times: 1,
    });
    const ordered = await approvalIn(dev, 'WA');
    await faultsMet(dev);
    await setFault(dev, { target: 'emr', operation: 'read', kind: 'delay', delayMs: 2_500, times: 1 });
    const begun = await approvalIn(dev, 'NY');
    const items = (taskId: string) =>
      sql`select kind, state from orchestrator.work_item where fact = ${taskId}`;
    const openItem = [{ kind: 'approval_failed', state: 'open' }];
    // It is given up by the attempt that fails after the outage's time is over.
    await keepAway(dev, 20);
    await clearFaults(dev);
    for (const { taskId, emrPatientId, patient } of [ordered, begun]) {
      const failed = await eventually(() => endedRun(dev, taskId));
      expect(failed).toMatchObject({ status: 'failed', failedStep: 'pharmacy_submission' });
      expect(failed.error).toMatch(/^Router /);
      expect(await items(taskId)).toEqual(openItem);
      expect(await chargesOf(dev, taskId)).toEqual([]);

      const again = await approve(dev, { taskId, medication: 'semaglutide', emrPatientId });
      expect([again.status, again.body.result.warnings]).toEqual([200, []]);
      expect(await runsOf(dev, taskId)).toMatchObject([{ status: 'completed' }, { status: 'failed' }]);
      expect(await items(taskId)).toEqual([{ kind: 'approval_failed', state: 'closed' }]);
      expect(await ordersOf(dev, taskId)).toHaveLength(1);
      expect(await chargesOf(dev, taskId)).toHaveLength(1);
      const mails = (await messagesTo(dev, patient)).filter(({ channel }) => channel === 'email');
      expect(mails).toHaveLength(1);
    }
  } finally {
    await sql.end();
    await short.stop();
  }
});
