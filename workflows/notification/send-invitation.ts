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
 * Mails an invited admin the way in, and goes on for 72 h: an address is invited once (D73), so nobody could ask for
 * another mail. That codes for signing in are locked (D92) is told once too, and so in the same way. Each attempt is a notification with a log entry of its own; the first one's is the invitation's.
 * @throws Unavailable when none got through
 */
export async function sendInvitation(invitation: Notification): Promise<void> {
  const endAt = Date.now() + patienceMs;
  const outcome = await untilDelivered(
    async (attempt) => {
      const logId = attempt === 1 ? invitation.logId : uuid4();
      const { status } = await executeChild(sendNotification, {
        workflowId: notificationWorkflowId(logId),
        args: [{ ...invitation, logId }],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        staticSummary: `Notification ${invitation.type}, attempt ${attempt}`,
        staticDetails: `Log entry ${logId}`,
      });
      if (status === 'sent') return 'sent';
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
  const hint = isInvitation ? 'The person may sign in at the portal with a code all the same: tell' : 'Tell';
  upsertSearchAttributes([{ key: rxOutcome, value: 'FAILED' satisfies RunOutcome }]);
  setCurrentDetails(`**FAILED: ${message}.** ${hint} them another way.`);
  throw ApplicationFailure.nonRetryable(message, failureTypes.unavailable);
}
