import {
  ApplicationFailure,
  executeChild,
  setCurrentDetails,
  upsertSearchAttributes,
  uuid4,
} from '@temporalio/workflow';
import { failureTypes } from '../../domain/failures.js';
import type { Notification } from '../../domain/notification/notification.js';
import type { RunOutcome } from '../../domain/search-attributes.js';
import { notificationWorkflowId } from '../ids.js';
import { rxOutcome } from '../search-attributes.js';
import { sendNotification } from './send-notification.js';
import { untilDelivered } from '../until-delivered.js';

const patienceMs = 72 * 60 * 60 * 1000;
const longestPauseSeconds = 60 * 60;

/**
 * Mails an invitation (D73) or a warning about locked sign-in codes (D92). It retries for 72 h, because each is sent
 * once only. Each attempt is a notification with its own log entry.
 * @throws Unavailable if no attempt succeeded
 */
export async function sendInvitation(invitation: Notification): Promise<void> {
  const endAt = Date.now() + patienceMs;
  const outcome = await untilDelivered(
    async (attempt) => {
      const logId = attempt === 1 ? invitation.logId : uuid4();
      const { status, channels } = await executeChild(sendNotification, {
        workflowId: notificationWorkflowId(logId),
        args: [{ ...invitation, logId }],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        staticSummary: `Notification ${invitation.type}, attempt ${attempt}`,
        staticDetails: `Log entry ${logId}`,
      });
      // Without a configured channel nothing failed, and nothing was sent.
      if (status === 'sent' && channels.some((channel) => channel.status === 'sent')) return 'sent';
      return Date.now() < endAt ? 'undelivered' : 'obsolete';
    },
    { longestPauseSeconds },
  );
  if (outcome === 'sent') {
    setCurrentDetails('**Mailed.**');
    return;
  }

  const isInvitation = invitation.type === 'magic_link';
  const message = `The ${isInvitation ? 'invitation' : 'warning'} could not be mailed within 72 h`;
  const hint = isInvitation ? 'The person can sign in at the portal with a code. Inform' : 'Inform';
  upsertSearchAttributes([{ key: rxOutcome, value: 'FAILED' satisfies RunOutcome }]);
  setCurrentDetails(`**FAILED: ${message}.** ${hint} them another way.`);
  throw ApplicationFailure.nonRetryable(message, failureTypes.unavailable);
}
