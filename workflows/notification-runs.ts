import type { Notification } from '../domain/notification.js';
import { notificationWorkflowId } from './ids.js';
import { taskQueues } from './queues.js';

/** How a notification's run is started, and shown: one run per log entry, tried anew only where it failed. */
export const notificationRunOptions = (notification: Notification) =>
  ({
    workflowId: notificationWorkflowId(notification.logId),
    taskQueue: taskQueues.notification,
    args: [notification] as [Notification],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
    staticSummary: `Notification ${notification.type}`,
    staticDetails: `Log entry ${notification.logId}`,
  }) as const;
