import type { Sql } from '../../db/client.js';
import { findRecipient } from '../../db/organization/sign-in.js';
import { isCodeAlive } from '../../db/organization/sign-in-codes.js';
import type { MailOutcome } from '../../domain/mail.js';
import type { NotificationClient } from '../../integrations/notification/client.js';
import { calling, callLimits } from '../calls.js';

export interface SignInCode {
  codeId: string;
  /** Lower case; it may belong to no admin. */
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
   * Mails a sign-in code to an admin, and to no other address, unless the code has expired. Safe to retry: the
   * notification service sends once per code and attempt.
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
