import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { IntakeMailActivities } from '../../../activities/intake/mails.js';
import type { MailOutcome } from '../../../domain/mail.js';
import type { abandonedCheckout } from '../../../workflows/intake/abandoned-checkout.js';
import { submittedSignal } from '../../../workflows/messages.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';
import { failingFirst } from '../orchestrator/pipeline-activities.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

type Remind = IntakeMailActivities['remindOfCheckout'];
const minuteMs = 60_000;

/** @param submitAfterMs when the intake is submitted; never without */
async function run(remind: Remind, submitAfterMs?: number) {
  const reminders: { attempt: number; minutesAfter: number }[] = [];
  const remindOfCheckout: Remind = async (reminder) => {
    const nowMs = await time.env.currentTimeMs();
    const minutesAfter = Math.round((nowMs - Date.parse(reminder.since)) / minuteMs);
    reminders.push({ attempt: reminder.attempt, minutesAfter });
    return remind(reminder);
  };
  const taskQueue = `checkout-${randomUUID()}`;
  const since = new Date(await time.env.currentTimeMs()).toISOString();
  const outcome = await time.withWorker(taskQueue, { remindOfCheckout }, async () => {
    const handle = await time.env.client.workflow.start<typeof abandonedCheckout>('abandonedCheckout', {
      workflowId: `checkout:${randomUUID()}`,
      taskQueue,
      args: [{ email: 'ada@example.test', codeId: 'code', since }],
    });
    if (submitAfterMs !== undefined) {
      await time.env.sleep(submitAfterMs);
      await handle.signal(submittedSignal);
    }
    return handle.result();
  });
  return { outcome, reminders };
}
const answering =
  (outcome: MailOutcome): Remind =>
  async () =>
    outcome;

it('reminds once, 30 minutes after the address was verified', async () => {
  expect(await run(answering('sent'))).toEqual({
    outcome: 'reminded',
    reminders: [{ attempt: 1, minutesAfter: 30 }],
  });
});

it('reminds nobody who has submitted within 30 minutes', async () => {
  expect(await run(answering('sent'), 29 * minuteMs)).toEqual({ outcome: 'submitted', reminders: [] });
});

it('reminds nobody whose submission is on record although its signal was lost', async () => {
  expect((await run(answering('obsolete'))).outcome).toBe('obsolete');
});

it('waits an outage of the notification service out, under the same key', async () => {
  const { outcome, reminders } = await run(failingFirst(10, async () => 'sent' as const));
  expect(outcome).toBe('reminded');
  expect(new Set(reminders.map(({ attempt }) => attempt))).toEqual(new Set([1]));
});

it('tries a reminder that no channel delivered again', async () => {
  let calls = 0;
  const { outcome, reminders } = await run(async () => (++calls < 3 ? 'undelivered' : 'sent'));
  expect([outcome, reminders.map(({ attempt }) => attempt)]).toEqual(['reminded', [1, 2, 3]]);
});
