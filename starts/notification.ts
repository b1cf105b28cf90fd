import type { Client } from '@temporalio/client';
import type { Notification, NotificationResult } from '../domain/notification/notification.js';
import { codesLockedWorkflowId, invitationWorkflowId, notificationWorkflowId } from '../workflows/ids.js';
import { startOrJoin, type Outcome, type Run } from './runs.js';

/** Sends a notification: one run per log entry, for one body, tried anew only where it failed (D70). */
export const send = (
  temporal: Client,
  notification: Notification,
  withinMs: number,
  onStart?: () => void,
): Promise<Outcome<NotificationResult>> =>
  startOrJoin(
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
export const invite = (temporal: Client, eventId: string, invitation: Notification): Promise<void> =>
  mailOnce(temporal, invitation, {
    id: invitationWorkflowId(eventId),
    summary: 'Invitation of an admin',
  });

/** Mails an admin that codes for signing in are locked, in the same way (D92). */
export const warn = (temporal: Client, eventId: string, warning: Notification): Promise<void> =>
  mailOnce(temporal, warning, {
    id: codesLockedWorkflowId(eventId),
    summary: 'Word to an admin whose codes are locked',
  });

async function mailOnce(
  temporal: Client,
  mail: Notification,
  run: Pick<Run<'sendInvitation'>, 'id' | 'summary'>,
): Promise<void> {
  await startOrJoin(
    temporal,
    {
      ...run,
      workflow: 'sendInvitation',
      queue: 'notification',
      args: [mail],
      once: true,
      details: `First log entry ${mail.logId}`,
    },
    0,
  );
}
