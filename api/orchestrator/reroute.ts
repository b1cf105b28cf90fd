import { isDeepStrictEqual } from 'node:util';
import { ownTaskId } from '../../domain/clients.js';
import type { Sql } from '../../db/client.js';
import { findLiveReference } from '../../db/orchestrator/order-references.js';
import { findReportedOrder } from '../../db/orchestrator/orders.js';
import { findTask } from '../../db/orchestrator/tasks.js';
import { heldBecause } from '../../domain/orchestrator/cancellation.js';
import { failureTypes } from '../../domain/failures.js';
import type { Cancellation } from '../../domain/orchestrator/cancellation.js';
import type { ShipTo } from '../../domain/orchestrator/replacement.js';
import { orderAddressOf } from '../../domain/orchestrator/shipments.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import * as starts from '../../starts/order-changes.js';
import type { ServiceContext } from '../context.js';
import { endOf, runFailed } from '../outcomes.js';
import { conflict, notFound, HttpError } from '../http-errors.js';
import { heldReference } from './cancel.js';
import type { RerouteRequest } from './contract.js';
import { addressOf } from './replace.js';

const untouched = { reason: null, refundedCents: 0, refillsCancelled: 0, replacementsCancelled: 0 };

/** The new order, or the progress: the first pharmacy has not canceled yet, or the new one has not accepted yet. */
type Rerouted =
  | { submissionId: string; pharmacy: Pharmacy; reference: string; replayed: boolean }
  | { cancellation: Cancellation };

/**
 * Reroutes the order of a task, or of the newest refill of a schedule, to another pharmacy or address (D105).
 * @throws HttpError 404 for an unknown task; 409 for a denied or canceled task or if the pharmacy keeps the order; 422 if
 * the new pharmacy already has it, cannot fill it or would send it to another state; 502 if the new pharmacy rejects it
 */
export async function reroute(
  { sql, temporal }: ServiceContext,
  { taskId, pharmacy, shipTo: given }: RerouteRequest,
  requestedBy: string,
  answerWithinMs = 60_000,
): Promise<Rerouted> {
  const held = await heldReference(sql, taskId);
  const task = await findTask(sql, held);
  if (!task) throw notFound('Task not found');
  if (task.cancelledAt !== null) throw conflict(heldBecause(task) ?? '');
  if (task.kind === 'deny') throw conflict('Task was denied');
  const live = await findLiveReference(sql, held);
  const shipTo = given && addressOf(given);
  // An earlier request completed but its answer was lost.
  const isMoved = task.changing === null && live?.pharmacy === pharmacy;
  if (isMoved && live.submissionId !== null && !live.isMissing && (await goesTo(sql, live.reference, shipTo)))
    return { submissionId: live.submissionId, pharmacy, reference: live.reference, replayed: true };

  const askedAt = new Date().toISOString();
  const request = { reference: held, pharmacy, shipTo, requestedBy, askedAt };
  const outcome = await starts.rerouteOrder(temporal, taskId, request, answerWithinMs);
  if (outcome.state === 'timed_out') {
    const now = await findLiveReference(sql, held);
    const isGivenBack = now !== undefined && now.reference !== live?.reference;
    return { cancellation: { ...untouched, state: isGivenBack ? 'approved' : 'pending' } };
  }
  const end = endOf(outcome, {
    what: 'reroute',
    ids: { taskId: ownTaskId(taskId) },
    conflict: conflict('Task is being rerouted to another pharmacy'),
  });
  if (end.state === 'failed') {
    const { type, message } = end.failure;
    if (type === failureTypes.taskConflict) throw conflict(message);
    if (type === failureTypes.notFound) throw notFound(message);
    throw runFailed(end.failure);
  }
  switch (end.result.state) {
    case 'moved': {
      const { submissionId, reference } = end.result;
      return { submissionId, pharmacy, reference, replayed: false };
    }
    case 'unknown':
      return { cancellation: { ...untouched, state: 'approved' } };
    case 'denied': {
      const cancellation: Cancellation = { ...untouched, state: 'denied', reason: end.result.reason };
      throw conflict('The pharmacy has not given the order back', { cancellation });
    }
    case 'unfillable':
      throw new HttpError(422, end.result.error);
    case 'rejected':
      throw new HttpError(502, end.result.error, { code: 'order_rejected' });
  }
}

/** True if the order goes to an address, or if none was asked for. */
async function goesTo(sql: Sql, reference: string, shipTo: ShipTo | undefined): Promise<boolean> {
  if (!shipTo) return true;
  const order = await findReportedOrder(sql, reference);
  return isDeepStrictEqual(order?.shipTo, orderAddressOf(shipTo));
}
