import type { Sql } from '../../db/client.js';
import { findRecipient } from '../../db/organization/sign-in.js';
import { isCodeAlive } from '../../db/organization/sign-in-codes.js';
import type { MailOutcome } from '../../domain/mail.js';
import type { NotificationClient } from '../../integrations/notification/client.js';
import { callLimits } from '../call-limits.js';
import { calling } from '../failures.js';

export interface SignInCode {
  codeId: string;
  /** Lower case; somebody's who may be no admin. */
  email: string;
  /** Six digits. */
  code: string;
}

export const createSignInActivities = ({
  sql,
  notifications,
}: {
  sql: Sql;
  notifications: NotificationClient;
}) => ({
  /**
   * Mails a code for signing in to an admin, and nothing to anybody else; a code that can be entered no more is not
   * sent.
   *
   * Safe to retry: the notification service sends once per key, which is of the code and the attempt.
   */
  async mailSignInCode(mail: SignInCode & { attempt: number }): Promise<MailOutcome> {
    const { codeId, email, code, attempt } = mail;
    if (!(await isCodeAlive(sql, codeId))) return 'obsolete';
    const recipient = await findRecipient(sql, email);
    if (!recipient) return 'obsolete';
    const delivered = await calling(() =>
      notifications.send(
        {
          type: 'otp',
          recipient: { email: recipient.email, name: recipient.displayName },
          variables: { code },
          channels: ['email'],
        },
        { idempotencyKey: `sign-in:${codeId}:${attempt}`, ...callLimits() },
      ),
    );
    return delivered.length > 0 ? 'sent' : 'undelivered';
  },
});

export type SignInActivities = ReturnType<typeof createSignInActivities>;
