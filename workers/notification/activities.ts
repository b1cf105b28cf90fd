import { createEventConsumerActivities } from '../../activities/events/deliveries.js';
import { createDeliveryLogActivities } from '../../activities/notification/log.js';
import { createMessageActivities } from '../../activities/notification/messages.js';
import { createChatClient } from '../../integrations/chat/client.js';
import { createCrmClient } from '../../integrations/crm/client.js';
import { createMailClient } from '../../integrations/smtp/client.js';
import { createSmsClient } from '../../integrations/twilio/client.js';
import type { WorkerContext } from '../context.js';
import { notificationEvents } from './events.js';

/** What the notification queue runs. */
export const notificationActivities = (context: WorkerContext) => {
  const { config, sql } = context;
  const settings = config.service('notification');
  const mail = createMailClient({
    host: settings.SMTP_HOST,
    port: settings.SMTP_PORT,
    user: settings.SMTP_USER,
    password: settings.SMTP_PASSWORD,
    requireTls: config.NODE_ENV === 'production',
    from: settings.MAIL_FROM,
  });
  const sms = createSmsClient({
    baseUrl: settings.TWILIO_BASE_URL,
    accountSid: settings.TWILIO_ACCOUNT_SID,
    authToken: settings.TWILIO_AUTH_TOKEN,
    from: settings.TWILIO_FROM,
  });
  const mailDomain = settings.MAIL_FROM.slice(settings.MAIL_FROM.lastIndexOf('@') + 1);
  const { CHAT_WEBHOOK_URL: chatUrl, CRM_WEBHOOK_URL: crmUrl } = settings;
  const chat = chatUrl === undefined ? undefined : createChatClient(chatUrl);
  const crm = crmUrl === undefined ? undefined : createCrmClient(crmUrl);
  const webhooks = [...(chat ? (['chat'] as const) : []), ...(crm ? (['crm'] as const) : [])];
  return {
    ...createDeliveryLogActivities({ sql, webhooks }),
    ...createMessageActivities({ mail, mailDomain, sms, chat, crm }),
    ...createEventConsumerActivities({ notification: notificationEvents(context) }),
  };
};
