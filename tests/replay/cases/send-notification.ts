import type { DeliveryLogActivities } from '../../../activities/notification/log.js';
import type { MessageActivities } from '../../../activities/notification/messages.js';
import type { Notification } from '../../../domain/notification/notification.js';
import type { PlannedDelivery } from '../../../domain/notification/notification-channels.js';
import type { sendNotification as workflow } from '../../../workflows/notification/send-notification.js';
import { failingFirst, outage, refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf } from '../cases.js';

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

const sending = (deliveries: PlannedDelivery[], replaced: Partial<NotificationActivities> = {}) => {
  const activities: NotificationActivities = {
    prepareNotification: async () => ({ deliveries }),
    finishNotification: async () => undefined,
    sendEmail: async () => ({ providerMessageId: '<1.email@scriptrail.test>' }),
    sendSms: async () => ({ providerMessageId: 'SM1' }),
    sendChat: async () => ({}),
    sendCrm: async () => ({}),
    ...replaced,
  };
  return { args: [notification] as Parameters<typeof workflow>, activities };
};

export const sendNotification: CasesOf<typeof workflow> = {
  sent: sending([email, sms]),
  'all-channels': sending([email, sms, chat, crm]),
  partial: sending([email, sms], { sendSms: refusal('SMS provider refused the message (21211)') }),
  failed: sending([email, { channel: 'sms', refuse: 'The message is too long' }], { sendEmail: outage }),
  skipped: sending([
    { channel: 'email', skip: 'no e-mail address' },
    { channel: 'crm', skip: 'not implemented' },
  ]),
  retried: sending([email], {
    sendEmail: failingFirst(1, async () => ({ providerMessageId: '<1.email@scriptrail.test>' })),
    finishNotification: failingFirst(1, async () => undefined),
  }),
  'recorded-answer': sending([], {
    prepareNotification: async () => ({
      recorded: { bodyHash: 'hash', status: 'sent', channels: [{ channel: 'email', status: 'sent' }] },
    }),
  }),
  running: { ...sending([email]), openAt: 'sendEmail' },
};
