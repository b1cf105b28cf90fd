import type { FastifyRequest } from 'fastify';
import { failureTypes } from '../../domain/failures.js';
import { keyUsedOtherwiseText } from '../../domain/idempotency.js';
import type { Notification, NotificationResult } from '../../domain/notification/notification.js';
import { isNotificationType } from '../../domain/notification/notification-types.js';
import type { MessageChannels } from '../../integrations/message-channels.js';
import { jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import type { Outcome } from '../../starts/runs.js';
import * as starts from '../../starts/notification.js';
import type { ServiceContext } from '../context.js';
import { endOf, runFailed } from '../outcomes.js';
import { allowedEvent } from '../plugins/access.js';
import { requestDigest } from '../plugins/answer-once.js';
import { conflict, HttpError } from '../http-errors.js';
import type { SendRequest } from './contract.js';
import { tryFirst } from './first-try.js';

/** Well above the timeouts of all channels together (D70). The workflow continues after it. */
const answerWithinMs = 30_000;

/**
 * The log id of a request, which also names its workflow. It follows from the idempotency key, else from the signature,
 * so that the same signed request sends once (D70, D91).
 */
export const logIdOf = (request: FastifyRequest, idempotencyKey: string | undefined): string =>
  idempotencyKey === undefined
    ? uuidV5('notification request', requestDigest(request).toString('hex'))
    : logIdOfKey(request.apiKey.id, idempotencyKey);

export const logIdOfKey = (clientId: string, idempotencyKey: string): string =>
  uuidV5('notification', clientId, idempotencyKey);

/** @throws HttpError 400 for an unknown type, or a recipient without an address */
export function notificationOf(
  sender: Pick<Notification, 'clientId' | 'logId'>,
  body: SendRequest,
): Notification {
  const { type, recipient } = body;
  if (!isNotificationType(type)) throw new HttpError(400, `Unknown notification type: ${type}`);
  refuseNobody(recipient);
  return { ...body, ...sender, type, bodyHash: jsonHash(body) };
}

/** @throws HttpError 400 for a recipient without an address */
export function refuseNobody({ email, phone }: SendRequest['recipient']): void {
  if (email === undefined && phone === undefined)
    throw new HttpError(400, 'At least one of email or phone is required');
}

export interface Sender extends Pick<ServiceContext, 'sql' | 'temporal' | 'logger'> {
  channels: MessageChannels;
}

/** Running sends of durable callers in this process, by log id. A repeated request waits for the same result. */
const running = new Map<string, { bodyHash: string; end: Promise<Ended> }>();

interface Ended {
  result: NotificationResult;
  isReplayed: boolean;
}

/**
 * Sends a notification of a durable caller: tries its channels in the request, and starts a workflow for those without
 * a result (D113). A repeated request waits for the same result, or gets the recorded one.
 * @throws as {@link sendByRun}
 */
export async function sendHere(sender: Sender, request: FastifyRequest, notification: Notification) {
  const { logId, bodyHash } = notification;
  request.accessed.records = [logId];
  const other = running.get(logId);
  if (other && other.bodyHash !== bodyHash) throw keyConflict();
  if (other) return answerOf(logId, (await other.end).result, true);

  const end = endHere(sender, request, notification).finally(() => running.delete(logId));
  running.set(logId, { bodyHash, end });
  const { result, isReplayed } = await end;
  return answerOf(logId, result, isReplayed);
}

async function endHere(sender: Sender, request: FastifyRequest, notification: Notification): Promise<Ended> {
  const access = allowedEvent(request, notification.logId);
  const tried = await tryFirst(sender, { ...notification, access });
  // The claim has written the access event together with the log entry.
  if (tried.isMade) request.accessed.isNoted = true;
  const isReplayed = !tried.isMade;
  switch (tried.state) {
    case 'ended':
      return { result: tried.result, isReplayed };
    case 'otherBody':
      throw keyConflict();
    case 'open': {
      const rest = { ...notification, takesOver: tried.finished };
      const outcome = await starts.send(sender.temporal, rest, answerWithinMs);
      return { result: ended(notification, outcome).result, isReplayed };
    }
  }
}

/**
 * Sends a notification by a workflow, or joins the running one of the same key or signature (D68).
 * @throws HttpError 502 when every tried channel failed, 409 when the key belongs to another body, 503 without a result
 * in time
 */
export async function sendByRun(
  { temporal }: Pick<Sender, 'temporal'>,
  request: FastifyRequest,
  notification: Notification,
) {
  const { logId } = notification;
  request.accessed.records = [logId];
  const onStart = () => (request.accessed.isHandedOn = true);
  const withAccess = { ...notification, access: allowedEvent(request, logId) };
  const outcome = await starts.send(temporal, withAccess, answerWithinMs, onStart);
  // The workflow writes the access event together with the log entry.
  if (request.accessed.isHandedOn && (outcome.state === 'completed' || outcome.state === 'timed_out'))
    request.accessed.isNoted = true;
  const { result, joined } = ended(notification, outcome);
  return answerOf(logId, result, joined !== false);
}

function ended({ logId }: Notification, outcome: Outcome<NotificationResult>) {
  const end = endOf(outcome, { what: 'notification', ids: { logId }, conflict: keyConflict() });
  if (end.state === 'failed')
    throw end.failure.type === failureTypes.duplicateConflict ? keyConflict() : runFailed(end.failure);
  return end;
}

/** @throws HttpError 502 when every tried channel failed */
function answerOf(logId: string, { status, channels }: NotificationResult, isReplayed: boolean) {
  const headers = isReplayed ? { 'idempotent-replayed': 'true' } : {};
  if (status === 'failed')
    throw new HttpError(502, 'No channel could deliver', {
      code: 'not_delivered',
      fields: { success: false, channels, logId },
      headers,
    });
  return { answer: { success: true as const, channels, logId }, headers };
}

const keyConflict = () => conflict(keyUsedOtherwiseText);
