import type { OrderSettled } from '../../domain/events.js';
import { keyOfOrder } from '../../domain/clients.js';
import type { UpdateCallback } from '../../domain/router/callbacks.js';
import type { DenialReason } from '../../domain/router/pharmacy-words.js';
import { takesNoHolds } from '../../domain/router/holds.js';
import type { OrderProgress } from '../../domain/router/order-updates.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import { missingOrderText } from '../../domain/router/submission.js';
import type { Queryable, Sql } from '../client.js';
import { publishEvent } from '../outbox.js';
import { queueCallback } from './callbacks.js';
import { releaseHolds } from './holds.js';
import { closeCancellation, noteProgress } from './cancellations.js';
import { endLook, requestLook } from './looks.js';
import { endSilence, recordContact } from './silence.js';

/** An accepted order, with its row locked. */
export type Order = OrderProgress & {
  id: string;
  sourceOrderId: string;
  pharmacy: Pharmacy;
  pharmacyOrderId: string;
};

/**
 * Records a new status of an order, queues the update callback, and updates its cancellation and holds. `failed` means
 * that the pharmacy does not have it (D138); any later status, that it has it after all. The caller holds the order's
 * lock.
 */
export async function recordProgress(sql: Queryable, order: Order, after: OrderProgress): Promise<void> {
  const { id: submissionId, sourceOrderId, pharmacy, pharmacyOrderId } = order;
  const { status, trackingNumber, carrier, parcels } = after;
  const isMissing = status === 'failed';
  const [{ clientId, source }] = await sql<[{ clientId: string; source: string }]>`
    update router.submission set
      status = ${status}, error_message = ${isMissing ? missingOrderText : null},
      tracking_number = ${trackingNumber}, carrier = ${carrier},
      parcels = ${sql.json(parcels.map((parcel) => ({ ...parcel })))},
      shipped_at = case when ${status} = 'shipped' then coalesce(shipped_at, now()) else shipped_at end,
      delivered_at = case when ${status} = 'delivered' then coalesce(delivered_at, now()) else delivered_at end,
      updated_at = now()
    where id = ${submissionId}
    returning api_key_id as client_id, source
  `;
  const payload: UpdateCallback = {
    submissionId,
    sourceOrderId,
    pharmacy,
    status,
    pharmacyOrderId,
    trackingNumber,
    carrier,
  };
  await queueCallback(sql, { submissionId, kind: 'update', payload });
  if (status === order.status) return;
  await endLook(sql, submissionId);
  if (isMissing || order.status === 'failed')
    await publishEvent(sql, 'router', {
      detailType: isMissing ? 'order.missing' : 'order.settled',
      aggregateId: submissionId,
      detail: {
        submissionId,
        clientId,
        sourceOrderId: keyOfOrder({ source, sourceOrderId }),
        pharmacy,
        pharmacyOrderId,
      } satisfies OrderSettled,
    });
  if (status === 'delivered' || status === 'cancelled') await endSilence(sql, submissionId);
  // First, since a denied cancellation opens the work items of the holds that are left.
  if (takesNoHolds(status)) await releaseHolds(sql, submissionId, isMissing);
  await noteProgress(sql, submissionId, status);
}

/**
 * Records the pharmacy's answer to a cancellation (D101); an approval cancels the order. If the pharmacy does not know
 * the order, the router looks for it by its reference (D138). Ignores an answer to a request that is no longer pending.
 */
export const recordCancelAnswer = (
  sql: Sql,
  { submissionId, number, answer }: CancelAnswered,
): Promise<void> =>
  sql.begin(async (sql) => {
    const [order] = await sql<Order[]>`
      select id, source_order_id, pharmacy, pharmacy_order_id, status, tracking_number, carrier, parcels
      from router.submission
      where id = ${submissionId}
      for update
    `;
    const verdict = { state: answer.state, reason: answer.state === 'denied' ? answer.reason : null };
    const closed = await closeCancellation(sql, submissionId, verdict, number);
    if (!order || !closed) return;
    await recordContact(sql, submissionId);
    if (answer.state === 'denied') {
      if (answer.reason === 'not_found') await requestLook(sql, submissionId);
      return;
    }
    const { trackingNumber, carrier, parcels } = order;
    await recordProgress(sql, order, { status: 'cancelled', trackingNumber, carrier, parcels });
  });

export interface CancelAnswered {
  submissionId: string;
  /** The number of the answered request. */
  number: number;
  answer: { state: 'approved' } | { state: 'denied'; reason: DenialReason };
}
