import { describe, expect, it } from '@jest/globals';
import { mailing, sendInvitation } from '../../replay/cases/send-invitation.js';
import { failingFirst } from '../orchestrator/pipeline-activities.js';
import { useRuns } from '../runs.js';

const { run, testCases } = useRuns('sendInvitation');

describe('an invitation', () => {
  testCases(sendInvitation);

  it('that does not get through is mailed again each time as a notification of its own', async () => {
    const accepted = async () => ({ providerMessageId: 'mail' });
    const { inputs } = await run(mailing(failingFirst(6, accepted), {}));
    const entries = inputs('finishNotification') as { logId: string; status: string }[];
    expect(entries.map(({ status }) => status)).toEqual(['failed', 'failed', 'sent']);
    expect(new Set(entries.map(({ logId }) => logId)).size).toBe(3);
  });

  it('that no channel sends is not mailed', async () => {
    const prepareNotification = async () => ({ deliveries: [{ channel: 'email' as const, skip: 'test' }] });
    const accepted = async () => ({ providerMessageId: 'mail' });
    const { failure } = await run(mailing(accepted, {}, { prepareNotification }));
    expect(failure).toMatchObject({ message: 'The invitation could not be mailed within 72 h' });
  });
});
