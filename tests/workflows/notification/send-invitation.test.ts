import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type WorkflowHandle, WorkflowFailedError } from '@temporalio/client';
import type { DeliveryLogActivities } from '../../../activities/notification/log.js';
import type { MessageActivities } from '../../../activities/notification/messages.js';
import type { Notification } from '../../../domain/notification/notification.js';
import type { PlannedDelivery } from '../../../domain/notification/notification-channels.js';
import type { sendInvitation } from '../../../workflows/notification/send-invitation.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';
import { failingFirst, outage } from '../orchestrator/pipeline-activities.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

const email: PlannedDelivery = {
  channel: 'email',
  email: { to: { address: 'kim@example.test', name: 'Kim' }, subject: 'Hello', html: '', text: 'Hello' },
};

/** Invites through this mail server. @returns the log entries with their results, in order */
async function invite(sendEmail: MessageActivities['sendEmail']) {
  const invitation: Notification = {
    logId: randomUUID(),
    clientId: 'organization',
    bodyHash: 'hash',
    type: 'magic_link',
    recipient: { email: 'kim@example.test', name: 'Kim' },
    variables: {},
  };
  const entries: { logId: string; status: string }[] = [];
  const activities: DeliveryLogActivities & Pick<MessageActivities, 'sendEmail'> = {
    prepareNotification: async () => ({ deliveries: [email] }),
    finishNotification: async ({ logId, status }) => void entries.push({ logId, status }),
    sendEmail,
  };
  const taskQueue = `invitation-${randomUUID()}`;
  return time.withWorker(taskQueue, activities, async () => {
    const handle: WorkflowHandle<typeof sendInvitation> = await time.env.client.workflow.start(
      'sendInvitation',
      { workflowId: `invitation:${randomUUID()}`, taskQueue, args: [invitation] },
    );
    const error = await handle.result().then(
      () => undefined,
      (error: unknown) => error,
    );
    const { startTime, closeTime = startTime, historyLength } = await handle.describe();
    const hours = (closeTime.getTime() - startTime.getTime()) / 3_600_000;
    return { logId: invitation.logId, entries, error, hours, historyLength };
  });
}

const accepted = async () => ({ providerMessageId: 'mail' });

it('an invitation is mailed once when all is well, under its own log entry', async () => {
  const { logId, entries, error } = await invite(accepted);
  expect([entries, error]).toEqual([[{ logId, status: 'sent' }], undefined]);
});

it('an invitation that did not get through is mailed again, each time as a notification of its own', async () => {
  // Two notifications of three attempts each.
  const { entries, error } = await invite(failingFirst(6, accepted));
  expect([entries.map(({ status }) => status), error]).toEqual([['failed', 'failed', 'sent'], undefined]);
  expect(new Set(entries.map(({ logId }) => logId)).size).toBe(3);
});

it('an invitation is given up after 72 h, is red, and its history stays short', async () => {
  const { entries, error, hours, historyLength } = await invite(outage);
  expect(error).toBeInstanceOf(WorkflowFailedError);
  expect((error as WorkflowFailedError).cause).toMatchObject({
    message: 'The invitation could not be mailed within 72 h',
  });
  expect(entries.every(({ status }) => status === 'failed')).toBe(true);
  expect(hours).toBeGreaterThanOrEqual(72);
  expect(hours).toBeLessThan(74);
  expect(historyLength).toBeLessThan(2_000);
});
