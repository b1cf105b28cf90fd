import { findLiveReference } from '../../db/orchestrator/order-references.js';
import { findTask } from '../../db/orchestrator/tasks.js';
import { heldBecause } from '../../domain/orchestrator/cancellation.js';
import { failureTypes } from '../../domain/failures.js';
import type { Cancellation } from '../../domain/orchestrator/cancellation.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import * as starts from '../../starts/order-changes.js';
import type { ServiceContext } from '../context.js';
import { endOf, runFailed } from '../outcomes.js';
import { conflict, notFound, HttpError } from '../http-errors.js';
import { heldReference } from './cancel.js';
import type { RerouteRequest } from './contract.js';

const untouched = { reason: null, refundedCents: 0, refillsCancelled: 0 };

/** The new order, or how far it has come: the first pharmacy is asked, or has given it back and the other is. */
export type Rerouted =
  | { submissionId: string; pharmacy: Pharmacy; reference: string; replayed: boolean }
  | { cancellation: Cancellation };

/**
 * Moves the order of a task, or of the newest refill of a schedule, to another pharmacy (D105).
 * @throws Refused 404 for an unknown task; 409 for one that is denied or cancelled, or whose pharmacy keeps the order; 422
 * for a pharmacy that has it already or cannot fill it; 502 when the new pharmacy does not take it
 */
export async function reroute(
  { sql, temporal }: ServiceContext,
  { taskId, pharmacy }: RerouteRequest,
  requestedBy: string,
  answerWithinMs = 60_000,
): Promise<Rerouted> {
  const held = await heldReference(sql, taskId);
  const task = await findTask(sql, held);
  if (!task) throw notFound('Task not found');
  if (task.cancelledAt !== null) throw conflict(heldBecause(task) ?? '');
  if (task.kind === 'deny') throw conflict('Task was denied');
  const live = await findLiveReference(sql, held);
  // Asked for before, and the answer was lost.
  if (task.changing === null && live?.pharmacy === pharmacy && live.submissionId !== null)
    return { submissionId: live.submissionId, pharmacy, reference: live.reference, replayed: true };

  const outcome = await starts.rerouteOrder(
    temporal,
    taskId,
    { reference: held, pharmacy, requestedBy },
    answerWithinMs,
  );
  if (outcome.state === 'timed_out') {
    const now = await findLiveReference(sql, held);
    const isGivenBack = now !== undefined && now.reference !== live?.reference;
    return { cancellation: { ...untouched, state: isGivenBack ? 'approved' : 'pending' } };
  }
  const end = endOf(outcome, {
    what: 'reroute',
    ids: { taskId },
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
    case 'denied': {
      const cancellation: Cancellation = { ...untouched, state: 'denied', reason: end.result.reason };
      throw conflict('The pharmacy has not given the order back', { cancellation });
    }
    case 'unfillable':
      throw new HttpError(422, end.result.error);
    case 'rejected':
      throw new HttpError(502, end.result.error);
  }
}
