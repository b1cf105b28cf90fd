import type { DeliveryLogActivities } from '../../../activities/notification/log.js';
import type { MessageActivities } from '../../../activities/notification/messages.js';
import type { Notification, OpenDelivery } from '../../../domain/notification/notification.js';
import type { PlannedDelivery } from '../../../domain/notification/notification-channels.js';
import type { sendNotification as workflow } from '../../../workflows/notification/send-notification.js';
import { failingFirst, outage, refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected, CheckedCase } from '../cases.js';

type NotificationActivities = DeliveryLogActivities & MessageActivities;

const notification: Notification = {
  logId: '00000000-0000-5000-8000-000000000005',
  clientId: 'notifier',
  bodyHash: 'hash',
  type: 'prescription_approved',
  recipient: { email: 'ada@example.test', phone: '2125550100', name: 'Ada Test' },
  variables: { patientName: 'Ada Test', medication: 'Semaglutide 5mg/mL', pharmacyName: 'Pharmacy C' },
};

const email: PlannedDelivery = {
  channel: 'email',
  email: {
    to: { address: 'ada@example.test', name: 'Ada Test' },
    subject: 'Approved',
    html: '<p>Approved</p>',
    text: 'Approved',
  },
};
const sms: PlannedDelivery = { channel: 'sms', sms: { to: '+12125550100', body: 'Approved' } };

const chat: PlannedDelivery = { channel: 'chat', chat: { text: 'Approved' } };
const crm: PlannedDelivery = {
  channel: 'crm',
  crm: { type: 'prescription_approved', email: 'ada@example.test', subject: 'Approved', text: 'Approved' },
};

export function sending(
  expect: Expected,
  deliveries: OpenDelivery[] = all(),
  replaced: Partial<NotificationActivities> = {},
): CheckedCase<Parameters<typeof workflow>> {
  const activities: NotificationActivities = {
    prepareNotification: async () => ({ deliveries }),
    finishNotification: async () => undefined,
    sendEmail: async () => ({ providerMessageId }),
    sendSms: async () => ({ providerMessageId: 'SM1' }),
    sendChat: async () => ({}),
    sendCrm: async () => ({}),
    ...replaced,
  };
  return { args: [notification], activities, expect };
}
/** A delivery over each channel. */
export const all = () => [email, sms, chat, crm];

const providerMessageId = '<1.email@scriptrail.test>';
const settled = { channel: 'sms' as const, status: 'sent' as const, providerMessageId: 'SM1' };
const allSent = [
  { channel: 'email', status: 'sent', providerMessageId },
  { channel: 'sms', status: 'sent', providerMessageId: 'SM1' },
  { channel: 'chat', status: 'sent' },
  { channel: 'crm', status: 'sent' },
];

/** The run answers so, and its log entry says the same. */
export const ending = (
  behavior: string,
  status: string,
  channels: object[],
  expected: Partial<Expected> = {},
) => ({
  behavior,
  result: { bodyHash: 'hash', status, channels },
  ...expected,
  inputs: {
    ...expected.inputs,
    finishNotification: [{ logId: notification.logId, status, channels }],
  },
});

/** The other channels are reached although one refuses, which is not tried again. */
export const refusing = (channel: string, activity: keyof MessageActivities) =>
  sending(
    ending(
      'the other channels are reached, and it is not tried again',
      'partial',
      allSent.map((sent) =>
        sent.channel === channel ? { channel, status: 'failed', error: 'Refused' } : sent,
      ),
      { times: { [activity]: 1 } },
    ),
    all(),
    { [activity]: refusal('Refused') },
  );

export const sendNotification: CasesOf<typeof workflow> = {
  sent: sending(ending('e-mail and text message are sent', 'sent', allSent.slice(0, 2)), [email, sms]),
  'all-channels': sending(
    ending('it goes over each of its channels once, and its log entry says so', 'sent', allSent, {
      times: { sendEmail: 1, sendSms: 1, sendChat: 1, sendCrm: 1 },
      inputs: { sendCrm: [{ logId: notification.logId, crm: { type: 'prescription_approved' } }] },
    }),
  ),
  partial: sending(
    ending('one of two channels refuses', 'partial', [
      allSent[0]!,
      { channel: 'sms', status: 'failed', error: 'SMS provider refused the message (21211)' },
    ]),
    [email, sms],
    { sendSms: refusal('SMS provider refused the message (21211)') },
  ),
  failed: sending(
    ending(
      'a channel gets three attempts, and one that cannot be sent none',
      'failed',
      [
        { channel: 'email', status: 'failed', error: 'The other side answered 503' },
        { channel: 'sms', status: 'failed', error: 'The message is too long' },
      ],
      { times: { sendEmail: 3, sendSms: 0 } },
    ),
    [email, { channel: 'sms', refuse: 'The message is too long' }],
    { sendEmail: outage },
  ),
  skipped: sending(
    ending('it is a success without a delivery when every channel is skipped', 'sent', [
      { channel: 'email', status: 'skipped', reason: 'no e-mail address' },
      { channel: 'crm', status: 'skipped', reason: 'not implemented' },
    ]),
    [
      { channel: 'email', skip: 'no e-mail address' },
      { channel: 'crm', skip: 'not implemented' },
    ],
  ),
  retried: sending(
    {
      behavior: 'faults that pass disturb nothing',
      result: { status: 'sent' },
      times: { sendEmail: 2, finishNotification: 2 },
    },
    [email],
    {
      sendEmail: failingFirst(1, async () => ({ providerMessageId })),
      finishNotification: failingFirst(1, async () => undefined),
    },
  ),
  'recorded-answer': sending(
    {
      behavior: 'one that was sent before is answered from the record',
      result: { bodyHash: 'hash', status: 'sent', channels: [{ channel: 'email', status: 'sent' }] },
      calls: ['prepareNotification'],
    },
    [],
    {
      prepareNotification: async () => ({
        recorded: { bodyHash: 'hash', status: 'sent', channels: [{ channel: 'email', status: 'sent' }] },
      }),
    },
  ),
  running: { ...sending({ behavior: 'it is sent' }, [sms]), openAt: 'sendSms' },
  'taken-over': {
    ...sending(
      ending(
        'what a first try has settled is left alone, and the rest has two attempts (D113)',
        'partial',
        [{ channel: 'email', status: 'failed', error: 'The other side answered 503' }, settled],
        { times: { sendEmail: 2, sendSms: 0 } },
      ),
      [email, { channel: 'sms', settled }],
      { sendEmail: outage },
    ),
    args: [{ ...notification, takesOver: [settled] }],
  },
};
