import { ownTaskId } from '../../domain/clients.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { findCancellation, findNewestRefill, openCancellation } from '../../db/orchestrator/cancellations.js';
import { findTask } from '../../db/orchestrator/tasks.js';
import { failureTypes } from '../../domain/failures.js';
import type { Cancellation, CancellationRequest } from '../../domain/orchestrator/cancellation.js';
import { scheduleIdOf } from '../../domain/orchestrator/refills.js';
import type { Sql } from '../../db/client.js';
import * as starts from '../../starts/order-changes.js';
import type { ServiceContext } from '../context.js';
import { endOf, runFailed } from '../outcomes.js';
import { conflict, notFound, unavailable } from '../http-errors.js';
import type { CancelRequest } from './contract.js';

const refundWithinMs = 10_000;

const pending: Cancellation = {
  state: 'pending',
  reason: null,
  refundedCents: 0,
  refillsCancelled: 0,
  replacementsCancelled: 0,
};

/** Reference of the task, or of the newest refill of its schedule. @throws HttpError 404 */
export async function heldReference(sql: Sql, taskId: string): Promise<string> {
  const scheduleId = scheduleIdOf(taskId);
  const reference = scheduleId === null ? taskId : await findNewestRefill(sql, scheduleId);
  if (reference === undefined) throw notFound('Task not found');
  return reference;
}

/**
 * Cancels an approval, or the newest refill of a schedule (D104).
 * @returns the cancellation after at most `answerWithinMs`; `replayed` if an earlier request canceled it
 * @throws HttpError 404 for an unknown task, 409 without an order, 503 if an operator terminated the workflow or the
 * request can neither start nor be recorded
 */
export async function cancel(
  { sql, temporal }: ServiceContext,
  { taskId, reason, stopRefills = false, withoutOrder }: CancelRequest & { withoutOrder?: true },
  requestedBy: string,
  answerWithinMs = 60_000,
): Promise<{ cancellation: Cancellation; replayed: boolean }> {
  const reference = await heldReference(sql, taskId);
  const askedAt = new Date().toISOString();
  const request = {
    reference,
    reason,
    stopRefills,
    requestedBy,
    askedAt,
    ...(withoutOrder && { withoutOrder }),
  };
  const earlier = await findCancellation(sql, reference);
  // After a denial its run may still follow another order, and joining it asks nothing. So a repeat is recorded first.
  const isHeldUp = earlier?.state === 'denied' && (await openCancellation(sql, request)).state === 'busy';
  const deadline = Date.now() + answerWithinMs;
  const refundedBy = Date.now() + Math.min(answerWithinMs, refundWithinMs);
  for (;;) {
    const task = await findTask(sql, reference);
    if (!task) throw notFound('Task not found');
    if (task.cancelledAt !== null) {
      // The workflow may still refund, which takes moments unless the outcome of the charge is unknown.
      if (Date.now() < refundedBy && (await starts.isCancelling(temporal, taskId))) {
        await sleep(500);
        continue;
      }
      return { cancellation: (await findCancellation(sql, reference)) ?? pending, replayed: true };
    }
    const withinMs = Math.max(1_000, deadline - Date.now());
    const outcome = await starts.cancelApproval(temporal, taskId, request, withinMs);
    // The workflow cancels another refill of the schedule, or handles a cancellation by the pharmacy. Ours is next.
    if (outcome.state === 'conflict') {
      if (Date.now() >= deadline) return { cancellation: await record(sql, request), replayed: false };
      await sleep(500);
      continue;
    }
    if (outcome.state === 'timed_out') {
      // Remaining work, such as reconciling a charge, changes no answer. A repeat held up by a reroute has none yet.
      const recorded = await findCancellation(sql, reference);
      const isEarlier = isHeldUp && recorded?.state === 'denied';
      return { cancellation: isEarlier ? pending : (recorded ?? pending), replayed: false };
    }
    const end = endOf(outcome, { what: 'cancellation', ids: { taskId: ownTaskId(taskId) } });
    if (end.state === 'failed') {
      const { type, message } = end.failure;
      if (type === failureTypes.taskConflict) throw conflict(message);
      if (type === failureTypes.notFound) throw notFound(message);
      throw runFailed(end.failure);
    }
    const recorded = await findCancellation(sql, reference);
    // The run had answered its own request before this one joined it. Ours is next.
    if (recorded?.state === 'pending' && Date.now() < deadline) continue;
    return { cancellation: recorded ?? pending, replayed: false };
  }
}

/**
 * Records a request that no workflow holds yet. The sweep of the worker starts it once the workflow id is free.
 * @throws HttpError 503 while the order is being moved
 */
async function record(sql: Sql, request: CancellationRequest): Promise<Cancellation> {
  const { state } = await openCancellation(sql, request);
  if (state !== 'open' && state !== 'approved') throw unavailable('The order is being changed');
  return (await findCancellation(sql, request.reference)) ?? pending;
}
