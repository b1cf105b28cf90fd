import { findReportedOrder } from '../../db/orchestrator/orders.js';
import { findPayment, findRefundedCents } from '../../db/orchestrator/payments.js';
import { lockRefundLeft } from '../../db/orchestrator/shipped-after-cancel.js';
import { chargeAgainReference } from '../../domain/orchestrator/shipments.js';
import { chargeAgain } from '../../starts/dunning.js';
import type { ServiceContext } from '../context.js';
import { unavailable } from '../http-errors.js';
import { endOf } from '../outcomes.js';
import { answerWithinMs } from '../plugins/work-items.js';

/**
 * Takes the refunded amount of an order that was sent although it was cancelled, once for all orders of its task (D155).
 * The charge has a payment of its own: a repeat finds it, and a declined one gets another attempt.
 * @param shipped `reference` is the order's
 * @returns why it does not; null once it is paid
 * @throws HttpError 503 while the outcome is unknown
 */
export async function chargeShippedOrder(
  { sql, temporal }: ServiceContext,
  { reference, submissionId, by }: { reference: string; submissionId: string; by: string },
): Promise<string | null> {
  const order = await findReportedOrder(sql, reference);
  if (!order) return 'The task is gone';
  const taskId = chargeAgainReference(submissionId);
  const earlier = await findPayment(sql, taskId);
  if (earlier?.status === 'succeeded') return null;
  const isPending = earlier?.status === 'pending';
  const fixedCents = isPending ? earlier.amountCents : await sql.begin((sql) => lockRefundLeft(sql, taskId));
  if (fixedCents <= 0) {
    const refundedCents = await findRefundedCents(sql, order.heldBy);
    return refundedCents === 0 ? 'Nothing was refunded' : 'The refund was charged again for another order';
  }

  const { emrPatientId } = order;
  const charge = { taskId, emrPatientId, priceCents: fixedCents, fixedCents, requestedBy: by };
  const n = (earlier?.attempt ?? 0) + (isPending ? 0 : 1);
  const outcome = await chargeAgain(temporal, { taskId: order.taskId, n, charge }, answerWithinMs);
  endOf(outcome, { what: 'charge', ids: { taskId: order.taskId } });
  const { status = 'failed' } = (await findPayment(sql, taskId)) ?? {};
  if (status === 'pending') throw unavailable('The outcome of the charge is not known yet');
  return status === 'failed' ? 'The charge failed' : null;
}
