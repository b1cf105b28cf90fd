import type { DeliveryLogActivities } from '../../../activities/notification/log.js';
import type { MessageActivities } from '../../../activities/notification/messages.js';
import type { Notification } from '../../../domain/notification/notification.js';
import type { sendInvitation as workflow } from '../../../workflows/notification/send-invitation.js';
import { failingFirst } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf } from '../cases.js';

const invitation: Notification = {
  logId: '00000000-0000-5000-8000-00000000000b',
  clientId: 'organization',
  bodyHash: 'hash',
  type: 'magic_link',
  recipient: { email: 'kim@example.test', name: 'Kim Test' },
  variables: { magicLinkUrl: 'https://portal.example.test', intakeType: '' },
};

const mailing = (sendEmail: MessageActivities['sendEmail']) => {
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
  };
  return { args: [invitation] as [Notification], activities, skipTime: true as const };
};
const accepted = async () => ({ providerMessageId: '<1.email@scriptrail.test>' });

export const sendInvitation: CasesOf<typeof workflow> = {
  mailed: mailing(accepted),
  'mailed-at-last': mailing(failingFirst(3, accepted)),
};
