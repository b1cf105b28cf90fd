import { describe, expect, it } from '@jest/globals';
import { mailing, sendInvitation } from '../../replay/cases/send-invitation.js';
import { failingFirst, outage } from '../orchestrator/pipeline-activities.js';
import { useRuns } from '../runs.js';

const { run, judge } = useRuns('sendInvitation');

describe('an invitation', () => {
  judge(sendInvitation);

  it('that does not get through is mailed again each time as a notification of its own', async () => {
    const accepted = async () => ({ providerMessageId: 'mail' });
    const { inputs } = await run(mailing(failingFirst(6, accepted), { says: '' }));
    const entries = inputs('finishNotification') as { logId: string; status: string }[];
    expect(entries.map(({ status }) => status)).toEqual(['failed', 'failed', 'sent']);
    expect(new Set(entries.map(({ logId }) => logId)).size).toBe(3);
  });

  it('is given up after 72 h, is red, and its history stays short', async () => {
    const { failure, inputs, handle, tookMs } = await run(mailing(outage, { says: '' }));
    expect(failure).toMatchObject({ message: 'The invitation could not be mailed within 72 h' });
    const entries = inputs('finishNotification') as { status: string }[];
    expect(entries.every(({ status }) => status === 'failed')).toBe(true);
    const hours = (await tookMs()) / 3_600_000;
    expect(hours).toBeGreaterThanOrEqual(72);
    expect(hours).toBeLessThan(74);
    expect((await handle.describe()).historyLength).toBeLessThan(2_000);
  });
});
