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
  if (!isNotificationType(type)) throw new HttpError(400, `Unknown notification type: ${type}`);
  if (recipient.email === undefined && recipient.phone === undefined)
    throw new HttpError(400, 'At least one of email or phone is required');
  return { ...body, ...sender, type, bodyHash: jsonHash(body) };
}

export interface Sender extends Pick<ServiceContext, 'sql' | 'temporal' | 'logger'> {
  channels: MessageChannels;
}

/** What the durable callers of this process are having sent, by log entry: the same request waits for the same end. */
const underWay = new Map<string, { bodyHash: string; end: Promise<Ended> }>();

interface Ended {
  result: NotificationResult;
  isReplayed: boolean;
}

/**
 * Sends a notification of a durable caller: tries its channels here, and has a run take over what that does not settle
 * (D113). A repeat waits for the same end, or gets the recorded one.
 * @throws as {@link sendByRun}
 */
export async function sendHere(sender: Sender, request: FastifyRequest, notification: Notification) {
  const { logId, bodyHash } = notification;
  request.accessed.records = [logId];
  const other = underWay.get(logId);
  if (other && other.bodyHash !== bodyHash) throw usedOtherwise();
  if (other) return answerOf(logId, (await other.end).result, true);

  const end = endHere(sender, request, notification).finally(() => underWay.delete(logId));
  underWay.set(logId, { bodyHash, end });
  const { result, isReplayed } = await end;
  return answerOf(logId, result, isReplayed);
}

async function endHere(sender: Sender, request: FastifyRequest, notification: Notification): Promise<Ended> {
  const access = allowedEvent(request, notification.logId);
  const tried = await tryFirst(sender, { ...notification, access });
  // With the log entry.
  if (tried.isMade) request.accessed.isNoted = true;
  const isReplayed = !tried.isMade;
  switch (tried.state) {
    case 'ended':
      return { result: tried.result, isReplayed };
    case 'otherBody':
      throw usedOtherwise();
    case 'open': {
      const rest = { ...notification, takesOver: tried.settled };
      const outcome = await starts.send(sender.temporal, rest, answerWithinMs);
      return { result: ended(notification, outcome).result, isReplayed };
    }
  }
}

/**
 * Sends a notification by a run, or joins that under the same key or signature, and answers its sender (D68).
 * @throws Refused 502 when every channel that was tried failed, 409 when the key belongs to another body, 503 when the end is not known here
 */
export async function sendByRun(
  { temporal }: Pick<Sender, 'temporal'>,
  request: FastifyRequest,
  notification: Notification,
) {
  const { logId } = notification;
  request.accessed.records = [logId];
  const onStart = () => (request.accessed.isHandedOn = true);
  const asked = { ...notification, access: allowedEvent(request, logId) };
  const outcome = await starts.send(temporal, asked, answerWithinMs, onStart);
  // Its run notes who asked, together with the log entry.
  if (request.accessed.isHandedOn && (outcome.state === 'completed' || outcome.state === 'timed_out'))
    request.accessed.isNoted = true;
  const { result, joined } = ended(notification, outcome);
  return answerOf(logId, result, joined !== false);
}

function ended({ logId }: Notification, outcome: Outcome<NotificationResult>) {
  const end = endOf(outcome, { what: 'notification', ids: { logId }, conflict: usedOtherwise() });
  if (end.state === 'failed')
    throw end.failure.type === failureTypes.duplicateConflict ? usedOtherwise() : runFailed(end.failure);
  return end;
}

/** @throws Refused 502 when every channel that was tried failed */
function answerOf(logId: string, { status, channels }: NotificationResult, isReplayed: boolean) {
  const headers = isReplayed ? { 'idempotent-replayed': 'true' } : {};
  if (status === 'failed')
    throw new HttpError(502, 'No channel could deliver', {
      fields: { success: false, channels, logId },
      headers,
    });
  return { answer: { success: true as const, channels, logId }, headers };
}

const usedOtherwise = () => conflict(keyUsedOtherwiseText);
