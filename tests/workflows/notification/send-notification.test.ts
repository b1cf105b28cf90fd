import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeliveryLogActivities } from '../../../activities/notification/log.js';
import type { MessageActivities } from '../../../activities/notification/messages.js';
import type { Notification, NotificationResult } from '../../../domain/notification/notification.js';
import type { PlannedDelivery } from '../../../domain/notification/notification-channels.js';
import type { sendNotification } from '../../../workflows/notification/send-notification.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';
import { failingFirst, outage, refusal } from '../orchestrator/pipeline-activities.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

type Activities = DeliveryLogActivities & MessageActivities;
type Finished = Parameters<DeliveryLogActivities['finishNotification']>[0];

const email: PlannedDelivery = {
  channel: 'email',
  email: { to: { address: 'ada@example.test', name: 'Ada' }, subject: 'Hello', html: '', text: 'Hello' },
};
const sms: PlannedDelivery = { channel: 'sms', sms: { to: '+12125550100', body: 'Hello' } };
const chat: PlannedDelivery = { channel: 'chat', chat: { text: 'Hello' } };
const crm: PlannedDelivery = { channel: 'crm', crm: { type: 'welcome', subject: 'Hello', text: 'Hello' } };
const all = [email, sms, chat, crm];

/** Sends a notification against these activities to its end. */
async function send(deliveries: PlannedDelivery[], replaced: Partial<Activities> = {}) {
  const notification: Notification = {
    logId: randomUUID(),
    clientId: 'notifier',
    bodyHash: 'hash',
    type: 'welcome',
    recipient: { email: 'ada@example.test', phone: '+12125550100' },
    variables: {},
  };
  const calls: Record<string, unknown[]> = {};
  const finished: Finished[] = [];
  const good: Activities = {
    prepareNotification: async () => ({ deliveries }),
    finishNotification: async (input) => void finished.push(input),
    sendEmail: async () => ({ providerMessageId: 'mail' }),
    sendSms: async () => ({ providerMessageId: 'text' }),
    sendChat: async () => ({}),
    sendCrm: async () => ({}),
  };
  const activities = Object.fromEntries(
    Object.entries({ ...good, ...replaced }).map(([name, activity]) => [
      name,
      (input: never) => {
        (calls[name] ??= []).push(input);
        return (activity as (input: never) => unknown)(input);
      },
    ]),
  );
  const taskQueue = `notification-${randomUUID()}`;
  return time.withWorker(taskQueue, activities, async () => {
    const handle = await time.env.client.workflow.start<typeof sendNotification>('sendNotification', {
      workflowId: `notification:${notification.logId}`,
      taskQueue,
      args: [notification],
    });
    const result: NotificationResult = await handle.result();
    const { startTime, closeTime = startTime } = await handle.describe();
    const tookMs = closeTime.getTime() - startTime.getTime();
    const times = Object.fromEntries(Object.entries(calls).map(([name, inputs]) => [name, inputs.length]));
    return { result, finished, calls, times, tookMs, logId: notification.logId };
  });
}

const allSent = [
  { channel: 'email', status: 'sent', providerMessageId: 'mail' },
  { channel: 'sms', status: 'sent', providerMessageId: 'text' },
  { channel: 'chat', status: 'sent' },
  { channel: 'crm', status: 'sent' },
];

describe('a notification', () => {
  it('goes over each of its channels once, and its log entry says the same as its answer', async () => {
    const { result, finished, calls, times, logId } = await send(all);
    expect(result).toEqual({ bodyHash: 'hash', status: 'sent', channels: allSent });
    expect(finished).toEqual([{ logId, status: 'sent', channels: allSent }]);
    expect(times).toMatchObject({ sendEmail: 1, sendSms: 1, sendChat: 1, sendCrm: 1 });
    expect(calls['sendCrm']).toEqual([{ logId, crm: { type: 'welcome', subject: 'Hello', text: 'Hello' } }]);
  });

  it.each([
    ['email', 'sendEmail'],
    ['sms', 'sendSms'],
    ['chat', 'sendChat'],
    ['crm', 'sendCrm'],
  ] as const)(
    'reaches the other channels when %s refuses, which is not tried again',
    async (channel, activity) => {
      const { result, times } = await send(all, { [activity]: refusal('Refused') });
      expect(result).toEqual({
        bodyHash: 'hash',
        status: 'partial',
        channels: allSent.map((sent) =>
          sent.channel === channel ? { channel, status: 'failed', error: 'Refused' } : sent,
        ),
      });
      expect(times[activity]).toBe(1);
    },
  );

  it('gives every channel three attempts of its own within some ten seconds', async () => {
    const down = { sendEmail: outage, sendSms: outage, sendChat: outage, sendCrm: outage };
    const { result, times, tookMs } = await send(all, down);
    expect(result.status).toBe('failed');
    expect(result.channels).toEqual(
      all.map(({ channel }) => ({ channel, status: 'failed', error: 'The other side answered 503' })),
    );
    expect(times).toMatchObject({ sendEmail: 3, sendSms: 3, sendChat: 3, sendCrm: 3 });
    expect(tookMs).toBeLessThan(20_000);
  });

  it('is delivered at the third attempt of a channel, while the others were done at the first', async () => {
    const accepted = async () => ({ providerMessageId: 'mail' });
    const { result, times } = await send(all, { sendEmail: failingFirst(2, accepted) });
    expect(result).toMatchObject({ status: 'sent', channels: allSent });
    expect(times).toMatchObject({ sendEmail: 3, sendSms: 1, sendChat: 1, sendCrm: 1 });
  });

  it('is a success without a delivery when every channel is skipped, or there is none', async () => {
    const skipped = await send([{ channel: 'sms', skip: 'no phone number' }]);
    expect(skipped.result).toMatchObject({
      status: 'sent',
      channels: [{ channel: 'sms', status: 'skipped', reason: 'no phone number' }],
    });
    expect((await send([])).result).toMatchObject({ status: 'sent', channels: [] });
  });

  it('that was sent before is answered from the record', async () => {
    const recorded = { bodyHash: 'hash', status: 'failed' as const, channels: [] };
    const { result, times } = await send([], { prepareNotification: async () => ({ recorded }) });
    expect(result).toEqual(recorded);
    expect(times).toEqual({ prepareNotification: 1 });
  });

  it('waits for its log entry through an outage of the database, and sends once', async () => {
    const { result, times } = await send([email], {
      prepareNotification: failingFirst(20, async () => ({ deliveries: [email] })),
      finishNotification: failingFirst(20, async () => undefined),
    });
    expect(result.status).toBe('sent');
    expect(times).toMatchObject({ sendEmail: 1, finishNotification: 21 });
  });
});
