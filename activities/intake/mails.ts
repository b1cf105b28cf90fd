import type { Sql } from '../../db/client.js';
import { hasSubmittedSince } from '../../db/intake/checkouts.js';
import { isCodeAlive } from '../../db/intake/verification-codes.js';
import type { MailOutcome } from '../../domain/mail.js';
import type { NotificationClient, NotificationRequest } from '../../integrations/notification/client.js';
import { calling, callLimits } from '../calls.js';

/** A later reminder is useless. */
const reminderUsefulMs = 24 * 60 * 60 * 1000;

export const createIntakeMailActivities = ({
  sql,
  notifications,
  formUrl,
}: {
  sql: Sql;
  notifications: NotificationClient;
  formUrl: string;
}) => {
  const send = async (
    type: string,
    key: string,
    email: string,
    variables: NotificationRequest['variables'],
  ): Promise<MailOutcome> => {
    const notification = { type, recipient: { email }, variables, channels: ['email'] as const };
    const options = { idempotencyKey: `${type}:${key}`, ...callLimits() };
    const delivered = await calling(() => notifications.send(notification, options));
    return delivered.length > 0 ? 'sent' : 'undelivered';
  };

  return {
    /** Sends a verification code (D65) that is still valid. Safe to retry: one send per code and attempt. */
    async sendVerificationCode(mail: {
      codeId: string;
      email: string;
      code: string;
      attempt: number;
    }): Promise<MailOutcome> {
      const { codeId, email, code, attempt } = mail;
      if (!(await isCodeAlive(sql, codeId))) return 'obsolete';
      return send('otp', `${codeId}:${attempt}`, email, { code });
    },

    /**
     * Reminds a person of an intake they started (D66), unless they have submitted one since. Safe to retry: the
     * service sends once per code and attempt.
     */
    async remindOfCheckout(reminder: {
      email: string;
      codeId: string;
      /** ISO 8601: when the intake started. */
      since: string;
      attempt: number;
    }): Promise<MailOutcome> {
      const { email, codeId, attempt } = reminder;
      const since = new Date(reminder.since);
      if (Date.now() - since.getTime() > reminderUsefulMs) return 'obsolete';
      if (await hasSubmittedSince(sql, email, since)) return 'obsolete';
      const variables = { magicLinkUrl: formUrl, intakeType: '' };
      return send('abandoned_checkout', `${codeId}:${attempt}`, email, variables);
    },
  };
};

export type IntakeMailActivities = ReturnType<typeof createIntakeMailActivities>;
