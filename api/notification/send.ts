import { randomUUID } from 'node:crypto';
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../../domain/failures.js';
import { keyUsedOtherwiseText } from '../../domain/idempotency.js';
import { type Notification, type NotificationResult } from '../../domain/notification/notification.js';
import { isNotificationType } from '../../domain/notification/notification-types.js';
import { jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import { notificationWorkflowId } from '../../workflows/ids.js';
import { taskQueues } from '../../workflows/queues.js';
import type { sendNotification } from '../../workflows/notification/send-notification.js';
import { conflict as conflicting, Refused } from '../refusals.js';
import type { SendRequest } from './contract.js';

/** Well above what all channels may use up together (D70); beyond it the request fails and the run goes on. */
const answerTimeoutMs = 30_000;

/**
 * The notification a request stands for. A client's key gives the same log id every time, and with it the same run.
 * @throws Refused 400 for an unknown type, or a recipient without an address
 */
export function notificationOf(
  clientId: string,
  idempotencyKey: string | undefined,
  body: SendRequest,
): Notification {
  const { type, recipient } = body;
  if (!isNotificationType(type)) throw new Refused(400, `Unknown notification type: ${type}`);
  if (recipient.email === undefined && recipient.phone === undefined)
    throw new Refused(400, 'At least one of email or phone is required');
  const logId =
    idempotencyKey === undefined ? randomUUID() : uuidV5('notification', clientId, idempotencyKey);
  return { ...body, type, logId, clientId, bodyHash: jsonHash(body) };
}

/**
 * Sends a notification and answers its sender (D68).
 * @throws Refused 502 when every channel that was tried failed; 409 when the key belongs to another body
 */
export async function answerOf(client: Client, notification: Notification) {
  const { logId } = notification;
  const { status, channels } = await resultOf(client, notification);
  if (status === 'failed')
    throw new Refused(502, 'No channel could deliver', { fields: { success: false, channels, logId } });
  return { success: true as const, channels, logId };
}

/**
 * Starts the notification's run, or finds the one that was started under the same key, and waits for its result.
 * @throws Refused 409 when the key belongs to another body
 */
async function resultOf(client: Client, notification: Notification): Promise<NotificationResult> {
  const result = await client
    .withDeadline(Date.now() + answerTimeoutMs, async () => (await start(client, notification)).result())
    .catch((error: unknown) => {
      throw isConflict(error) ? conflict() : error;
    });
  // The run we joined may be that of another body, sent under the same key at the same time.
  if (result.bodyHash !== notification.bodyHash) throw conflict();
  return result;
}

const conflict = () => conflicting(keyUsedOtherwiseText);

/** The refusal comes bare from a local activity, in an envelope from an ordinary one. */
function isConflict(error: unknown): boolean {
  if (!(error instanceof WorkflowFailedError)) return false;
  const failure = error.cause instanceof ActivityFailure ? error.cause.cause : error.cause;
  return failure instanceof ApplicationFailure && failure.type === failureTypes.duplicateConflict;
}

/** One run per log entry, tried anew only where it failed. */
async function start(client: Client, notification: Notification) {
  const workflowId = notificationWorkflowId(notification.logId);
  try {
    return await client.workflow.start<typeof sendNotification>('sendNotification', {
      workflowId,
      taskQueue: taskQueues.notification,
      args: [notification],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      requestEagerStart: true,
      staticSummary: `Notification ${notification.type}`,
      staticDetails: `Log entry ${notification.logId}`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return client.workflow.getHandle<typeof sendNotification>(workflowId);
  }
}
