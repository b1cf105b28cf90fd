import type { Client } from '@temporalio/client';
import type { Notification, NotificationResult } from '../domain/notification/notification.js';
import { invitationWorkflowId, notificationWorkflowId } from '../workflows/ids.js';
import { begin, type Outcome, type Run } from './begin.js';

/** Sends a notification: one run per log entry, for one body, tried anew only where it failed (D70). */
export const send = (
  temporal: Client,
  notification: Notification,
  withinMs: number,
  onStart?: () => void,
): Promise<Outcome<NotificationResult>> =>
  begin(
    temporal,
    {
      workflow: 'sendNotification',
      id: notificationWorkflowId(notification.logId),
      queue: 'notification',
      args: [notification],
      purpose: notification.bodyHash,
      once: true,
      onStart,
      summary: `Notification ${notification.type}`,
      details: `Log entry ${notification.logId}`,
    },
    withinMs,
  );

/** Mails an invited admin the way in, unless that is under way or done; nobody waits for it (D73). */
export async function invite(temporal: Client, eventId: string, invitation: Notification): Promise<void> {
  const run: Run<'sendInvitation'> = {
    workflow: 'sendInvitation',
    id: invitationWorkflowId(eventId),
    queue: 'notification',
    args: [invitation],
    once: true,
    summary: 'Invitation of an admin',
    details: `First log entry ${invitation.logId}`,
  };
  await begin(temporal, run, 0);
}
