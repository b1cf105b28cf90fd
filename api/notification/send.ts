import { randomUUID } from 'node:crypto';
import { failureTypes } from '../../domain/failures.js';
import { keyUsedOtherwise, type Notification } from '../../domain/notification/notification.js';
import { isNotificationType } from '../../domain/notification/notification-types.js';
import { jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import * as starts from '../../starts/notification.js';
import type { ServiceContext } from '../context.js';
import { HttpError } from '../http-error.js';
import { endOf, runFailed } from '../outcomes.js';
import type { SendRequest } from './contract.js';

/** Well above what all channels may use up together (D70); beyond it the request fails and the run goes on. */
const answerWithinMs = 30_000;

/**
 * The notification a request stands for. A client's key gives the same log id every time, and with it the same run.
 * @throws HttpError 400 for an unknown type, or a recipient without an address
 */
export function notificationOf(
  clientId: string,
  idempotencyKey: string | undefined,
  body: SendRequest,
): Notification {
  const { type, recipient } = body;
  if (!isNotificationType(type)) throw new HttpError(400, { error: `Unknown notification type: ${type}` });
  if (recipient.email === undefined && recipient.phone === undefined)
    throw new HttpError(400, { error: 'At least one of email or phone is required' });
  const logId =
    idempotencyKey === undefined ? randomUUID() : uuidV5('notification', clientId, idempotencyKey);
  return { ...body, type, logId, clientId, bodyHash: jsonHash(body) };
}

/**
 * Sends a notification, or joins its run under the same key, and answers its sender (D68).
 * @throws HttpError 502 when every channel that was tried failed, 409 when the key belongs to another body; Unfinished
 */
export async function answerOf(temporal: ServiceContext['temporal'], notification: Notification) {
  const { logId } = notification;
  const outcome = await starts.send(temporal, notification, answerWithinMs);
  const conflict = new HttpError(409, { error: keyUsedOtherwise });
  const end = endOf(outcome, { what: 'notification', ids: { logId }, conflict });
  if (end.state === 'failed')
    throw end.failure.type === failureTypes.duplicateConflict ? conflict : runFailed(end.failure);
  const { status, channels } = end.result;
  if (status === 'failed')
    throw new HttpError(502, { success: false, channels, logId, error: 'No channel could deliver' });
  return { success: true as const, channels, logId };
}
