import { setTimeout as sleep } from 'node:timers/promises';
import { findOrder } from '../../db/orchestrator/orders.js';
import {
  claimPartRefund,
  findPartRefund,
  findRequestedRefund,
  type PartRefund,
  type PartRefundRequest,
} from '../../db/orchestrator/part-refunds.js';
import { findTask } from '../../db/orchestrator/tasks.js';
import { refillOf, scheduleIdOf } from '../../domain/orchestrator/refills.js';
import { giveBackAgain } from '../../starts/dunning.js';
import type { ServiceContext } from '../context.js';
import { conflict, notFound } from '../http-errors.js';
import { endOf, runFailed } from '../outcomes.js';
import { heldReference } from './cancel.js';
import type { RefundRequest } from './refund-contract.js';

const answerWithinMs = 30_000;

/** The refund that a caller reads. */
interface Refunded {
  refund: { amountCents: number; refundedCents: number; state: PartRefund['state'] };
  replayed: boolean;
}

/**
 * Refunds a part of a task's charge, or all that is left (D135), through the run that makes all refunds.
 * @param requestKey identifies the request; a repeat gets the refund of the first one
 * @returns the refund after at most `answerWithinMs`
 * @throws HttpError 404 for an unknown task, 409 when less is left than asked for
 */
export async function refund(
  context: ServiceContext,
  { taskId, amountCents, reason }: RefundRequest,
  { requestedBy, requestKey }: Pick<PartRefundRequest, 'requestedBy' | 'requestKey'>,
): Promise<Refunded> {
  const { sql } = context;
  const earlier = await findRequestedRefund(sql, requestKey);
  if (earlier) {
    const isSame =
      isOrderOf(taskId, earlier.reference) &&
      (amountCents === undefined || amountCents === earlier.amountCents);
    if (!isSame || (earlier.reason ?? reason) !== reason) throw conflict(otherRefundText);
    return { refund: await ended(context, earlier), replayed: true };
  }
  const reference = await heldReference(sql, taskId);
  if (!(await findTask(sql, reference))) throw notFound('Task not found');
  const claimed = await claimPartRefund(sql, { reference, amountCents, reason, requestedBy, requestKey });
  if (claimed.state === 'nothing') throw conflict('Nothing to refund');
  if (claimed.state === 'too_much') throw conflict('More than is left', { leftCents: claimed.leftCents });
  if (claimed.refund.reference !== reference) throw conflict(otherRefundText);
  return { refund: await ended(context, claimed.refund), replayed: claimed.replayed };
}

const otherRefundText = 'Idempotency-Key already used with a different refund';

/** True for a task's own reference, and for any refill of a schedule: a later one may be the newest by now. */
function isOrderOf(taskId: string, reference: string): boolean {
  const scheduleId = scheduleIdOf(taskId)?.toLowerCase();
  return scheduleId === undefined
    ? reference === taskId
    : refillOf(reference)?.scheduleId.toLowerCase() === scheduleId;
}

/** Waits until the run has made the refund. A run that looked before the claim ends without it, so another follows. */
async function ended(
  { sql, temporal }: ServiceContext,
  { reference, n }: PartRefund,
): Promise<Refunded['refund']> {
  const deadline = Date.now() + answerWithinMs;
  const taskId = (await findOrder(sql, reference))?.taskId ?? reference;
  for (;;) {
    const stored = await findPartRefund(sql, { reference, n });
    if (!stored) throw new Error('A refund has no record');
    const { amountCents, refundedCents, state } = stored;
    const leftMs = deadline - Date.now();
    if (state !== 'pending' || leftMs <= 0) return { amountCents, refundedCents, state };
    const outcome = await giveBackAgain(temporal, { taskId, reference }, leftMs);
    if (outcome.state === 'timed_out') continue;
    const end = endOf(outcome, { what: 'refund', ids: { taskId } });
    if (end.state === 'failed') throw runFailed(end.failure);
    await sleep(100);
  }
}
