import type { DeliveryLogActivities } from '../../../activities/notification/log.js';
import type { MessageActivities } from '../../../activities/notification/messages.js';
import type { Notification } from '../../../domain/notification/notification.js';
import type { sendInvitation as workflow } from '../../../workflows/notification/send-invitation.js';
import { failingFirst } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected, CheckedCase } from '../cases.js';

const invitation: Notification = {
  logId: '00000000-0000-5000-8000-00000000000b',
  clientId: 'organization',
  bodyHash: 'hash',
  type: 'magic_link',
  recipient: { email: 'kim@example.test', name: 'Kim Test' },
  variables: { magicLinkUrl: 'https://portal.example.test', intakeType: '' },
};
const { logId } = invitation;

export function mailing(
  sendEmail: MessageActivities['sendEmail'],
  expect: Expected,
  replaced: Partial<DeliveryLogActivities> = {},
): CheckedCase<Parameters<typeof workflow>> & { skipTime: true } {
  const activities: DeliveryLogActivities & Pick<MessageActivities, 'sendEmail'> = {
    prepareNotification: async () => ({
      deliveries: [
        {
          channel: 'email',
          email: {
            to: { address: 'kim@example.test', name: 'Kim Test' },
            subject: 'Your sign-in link',
            html: '<p>Sign in</p>',
            text: 'Sign in',
          },
        },
      ],
    }),
    finishNotification: async () => undefined,
    sendEmail,
    ...replaced,
  };
  return { args: [invitation], activities, skipTime: true, expect };
}
const accepted = async () => ({ providerMessageId: '<1.email@scriptrail.test>' });

export const sendInvitation: CasesOf<typeof workflow> = {
  mailed: mailing(accepted, {
    behavior: 'it is mailed once when all is well, under its own log entry',
    inputs: { finishNotification: [{ logId, status: 'sent' }] },
  }),
  // A notification of three attempts, and one of one.
  'mailed-at-last': mailing(failingFirst(3, accepted), {
    behavior: 'one that did not get through is mailed again',
    inputs: { finishNotification: [{ logId, status: 'failed' }, { status: 'sent' }] },
  }),
};
