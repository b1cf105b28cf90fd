import { randomInt, randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { codesLockedWorkflowId, invitationWorkflowId } from '../../../workflows/ids.js';
import { notificationActivities } from '../../../workers/notification/activities.js';
import { callsTo, type Exchange } from '../../api/orchestrator/approvals.js';
import { type Message, messagesWith } from '../../api/notification/notification.js';
import { eventually, mailboxOf, receivedBy } from '../../helpers/client.js';
import { eventOf, sessionEvents } from '../events.js';
import { contextOf, db, dev, runOf } from '../real-parts.js';
import { consuming, type Entries, type Entry, type Event } from '../twice.js';

const own = notificationActivities(contextOf('notification'));

const freshAddress = () => `${randomUUID()}@example.test`;
const asked = () => ({
  logId: randomUUID(),
  clientId: 'test',
  bodyHash: 'hash',
  type: 'otp' as const,
  recipient: { email: freshAddress() },
  variables: { code: '123456' },
  channels: ['email' as const],
});
const entryOf = (logId: string) => db`
  select status, channels, finished_at from notification.delivery where id = ${logId}
`;
const accepted = { providerMessageId: expect.any(String) };

const activities: Entries<typeof own> = {
  prepareNotification: async () => {
    const notification = asked();
    const to = expect.objectContaining({ address: notification.recipient.email });
    return {
      input: notification,
      answers: { deliveries: [{ channel: 'email', email: expect.objectContaining({ to }) }] },
      seen: () => entryOf(notification.logId),
      once: [expect.objectContaining({ status: null })],
    };
  },
  finishNotification: async () => {
    const notification = asked();
    await own.prepareNotification(notification);
    const channels = [{ channel: 'email' as const, status: 'sent' as const }];
    return {
      input: { logId: notification.logId, channels, status: 'sent' },
      seen: () => entryOf(notification.logId),
      once: [{ status: 'sent', channels, finishedAt: expect.any(Date) }],
    };
  },
  sendEmail: async () => {
    const logId = randomUUID();
    const providerMessageId = `<${logId}.email@scriptrail.test>`;
    const to = { address: freshAddress(), name: 'Ada' };
    return {
      input: { logId, email: { to, subject: 'Test', html: '<p>Test</p>', text: 'Test' } },
      answers: { providerMessageId },
      seen: async () =>
        (await callsTo(dev, 'smtp'))
          .filter(({ body }: Exchange) => body['to'] === to.address)
          .map(({ headers }) => headers['message-id']),
      once: [providerMessageId],
      atLeastOnce: 'SMTP knows no key; a mailbox drops the copy with the same Message-ID',
    };
  },
  sendSms: async () => {
    const to = `+1202${randomInt(2_000_000, 10_000_000)}`;
    return {
      input: { sms: { to, body: 'Test' } },
      answers: accepted,
      thenAnswers: accepted,
      seen: async () => (await receivedBy<Message>(dev, to)).map(({ text }) => text),
      once: ['Test'],
      atLeastOnce: 'the SMS provider knows no key; after a lost answer a text twice is better than none',
    };
  },
  sendChat: async () => {
    const text = `Test ${randomUUID()}`;
    return {
      input: { chat: { text } },
      answers: {},
      seen: async () => (await messagesWith(text)).map(({ channel }) => channel),
      once: ['chat'],
      atLeastOnce: 'chat webhooks know no key; after a lost answer the room reads the message twice',
    };
  },
  sendCrm: async () => {
    const logId = randomUUID();
    return {
      input: { logId, crm: { type: 'otp', email: freshAddress(), subject: 'Test', text: 'Test' } },
      answers: {},
      seen: async () =>
        (await callsTo(dev, 'crm')).map(({ body }) => body['id']).filter((id) => id === logId),
      once: [logId],
      atLeastOnce: 'the CRM is told again under the same id, by which it knows a repeat',
    };
  },
};

/** One run for an event, and one mail. */
const mailing = (detailType: string, workflowId: (eventId: string) => string) => async (): Promise<Event> => {
  const email = freshAddress();
  const event = eventOf('organization', detailType, { email, displayName: 'Kim' });
  return {
    event,
    seen: async () => ({
      run: await runOf(workflowId(event.id)),
      mails: await eventually(async () => (await mailboxOf(dev, email)).length || undefined),
    }),
    once: { run: expect.any(String), mails: 1 },
  };
};

export const notification: Record<string, Entry> = {
  ...activities,
  ...consuming('notification', {
    'admin.user_invited': mailing('admin.user_invited', invitationWorkflowId),
    'admin.sign_in_locked': mailing('admin.sign_in_locked', codesLockedWorkflowId),
    'organization.created': async () => {
      const organizationId = randomUUID();
      const event = eventOf('organization', 'organization.created', {}, organizationId);
      return {
        event,
        seen: () => db`select event_id from notification.organization where id = ${organizationId}`,
        once: [{ eventId: event.id }],
      };
    },
    ...sessionEvents('notification'),
  }),
};
