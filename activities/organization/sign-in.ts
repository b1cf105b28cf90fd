import type { Sql } from '../../db/client.js';
import { findRecipient } from '../../db/organization/sign-in.js';
import { failureTypes } from '../../domain/failures.js';
import type { NotificationClient } from '../../integrations/notification/client.js';
import { callLimits } from '../call-limits.js';
import { calling, refuse } from '../failures.js';

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
   * Mails a code for signing in to an admin, and nothing to anybody else.
   * @throws Rejected when it could not be delivered
   *
   * Safe to retry: the notification service sends once per key.
   */
  async mailSignInCode({ codeId, email, code }: SignInCode): Promise<void> {
    const recipient = await findRecipient(sql, email);
    if (!recipient) return;
    const delivered = await calling(() =>
      notifications.send(
        {
          type: 'otp',
          recipient: { email: recipient.email, name: recipient.displayName },
          variables: { code },
          channels: ['email'],
        },
        { idempotencyKey: `sign-in:${codeId}`, ...callLimits() },
      ),
    );
    if (delivered.length === 0) throw refuse(failureTypes.rejected, 'The mail could not be delivered');
  },
});

export type SignInActivities = ReturnType<typeof createSignInActivities>;
