import type { FastifyRequest } from 'fastify';
import { failureTypes } from '../../domain/failures.js';
import { keyUsedOtherwiseText } from '../../domain/idempotency.js';
import type { Notification } from '../../domain/notification/notification.js';
import { isNotificationType } from '../../domain/notification/notification-types.js';
import { jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import * as starts from '../../starts/notification.js';
import type { ServiceContext } from '../context.js';
import { endOf, runFailed } from '../outcomes.js';
import { allowedEvent } from '../plugins/access.js';
import { requestDigest } from '../plugins/answer-once.js';
import { conflict, Refused } from '../refusals.js';
import type { SendRequest } from './contract.js';

/** Well above what all channels may use up together (D70); beyond it the request fails and the run goes on. */
const answerWithinMs = 30_000;

/**
 * The log id of a request, and with it its run. A client's key gives the same one every time; where there is none, the
 * signature does, so that the same signed request sends once (D70, D91).
 */
export const logIdOf = (request: FastifyRequest, idempotencyKey: string | undefined): string =>
  idempotencyKey === undefined
    ? uuidV5('notification request', requestDigest(request).toString('hex'))
    : logIdOfKey(request.apiKey.id, idempotencyKey);

/** The log id of a message under its client's own key. */
export const logIdOfKey = (clientId: string, idempotencyKey: string): string =>
  uuidV5('notification', clientId, idempotencyKey);

/**
 * The notification a request stands for.
 * @throws Refused 400 for an unknown type, or a recipient without an address
 */
export function notificationOf(
  sender: Pick<Notification, 'clientId' | 'logId'>,
  body: SendRequest,
): Notification {
  const { type, recipient } = body;
  if (!isNotificationType(type)) throw new Refused(400, `Unknown notification type: ${type}`);
  if (recipient.email === undefined && recipient.phone === undefined)
    throw new Refused(400, 'At least one of email or phone is required');
  return { ...body, ...sender, type, bodyHash: jsonHash(body) };
}

/**
 * Sends a notification, or joins its run under the same key or signature, and answers its sender (D68).
 * @throws Refused 502 when every channel that was tried failed, 409 when the key belongs to another body, 503 when the end is not known here
 */
export async function answerOf(
  temporal: ServiceContext['temporal'],
  request: FastifyRequest,
  notification: Notification,
) {
  const { logId } = notification;
  request.accessed.records = [logId];
  const onStart = () => (request.accessed.isHandedOn = true);
  const asked = { ...notification, access: allowedEvent(request, logId) };
  const outcome = await starts.send(temporal, asked, answerWithinMs, onStart);
  // Its run notes who asked, together with the log entry.
  if (request.accessed.isHandedOn && (outcome.state === 'completed' || outcome.state === 'late'))
    request.accessed.isNoted = true;
  const usedOtherwise = conflict(keyUsedOtherwiseText);
  const end = endOf(outcome, { what: 'notification', ids: { logId }, conflict: usedOtherwise });
  if (end.state === 'failed')
    throw end.failure.type === failureTypes.duplicateConflict ? usedOtherwise : runFailed(end.failure);
  const { status, channels } = end.result;
  const headers = end.joined ? { 'idempotent-replayed': 'true' } : {};
  if (status === 'failed')
    throw new Refused(502, 'No channel could deliver', {
      fields: { success: false, channels, logId },
      headers,
    });
  return { answer: { success: true as const, channels, logId }, headers };
}
