import { createDeliveryLogActivities } from '../activities/notification/log.js';
import { createMessageActivities } from '../activities/notification/messages.js';
import { createMailClient } from '../integrations/smtp/client.js';
import { createSmsClient } from '../integrations/twilio/client.js';
import type { WorkerContext } from './context.js';
import { subscriberActivities } from './event-consumer.js';

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
  return {
    ...createDeliveryLogActivities({ sql }),
    ...createMessageActivities({ mail, mailDomain, sms }),
    ...subscriberActivities(context, 'notification'),
  };
};
