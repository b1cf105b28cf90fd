import type { Client } from '@temporalio/client';
import type { Notification } from '../domain/notification/notification.js';
import { codesLockedWorkflowId, invitationWorkflowId, notificationWorkflowId } from '../workflows/ids.js';
import { startOrJoin, type Run } from './runs.js';

/** Sends a notification: one run per log entry and body, repeated only after a failure (D70). */
export const send = (temporal: Client, notification: Notification, withinMs: number, onStart?: () => void) =>
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

/** Mails an invited admin the portal link once, without waiting (D73). */
export const invite = (temporal: Client, eventId: string, invitation: Notification) =>
  mailOnce(temporal, invitation, {
    id: invitationWorkflowId(eventId),
    summary: 'Invitation of an admin',
  });

/** Mails an admin once that sign-in codes are locked, without waiting (D92). */
export const warn = (temporal: Client, eventId: string, warning: Notification) =>
  mailOnce(temporal, warning, {
    id: codesLockedWorkflowId(eventId),
    summary: 'Warning that sign-in codes are locked',
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
