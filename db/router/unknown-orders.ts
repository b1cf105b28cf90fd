import type { OrderSettled } from '../../domain/events.js';
import { keyOfOrder } from '../../domain/clients.js';
import { taskReferences } from '../../domain/router/submission.js';
import { isOwn } from './own-orders.js';
import type { UpdateCallback } from '../../domain/router/callbacks.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import type { SubmissionOutcome } from '../../domain/router/submission.js';
import { first, type Queryable, type Sql } from '../client.js';
import { publishEvent } from '../outbox.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';
import { queueCallback } from './callbacks.js';
import { currentOutcome, unknownOrderFact } from './looks.js';
import { noteProgress } from './cancellations.js';
import { type Order, recordProgress } from './order-progress.js';
import { applyUpdate, type PharmacyUpdate } from './pharmacy-updates.js';
import { recordContact } from './silence.js';

/** A submission whose order may or may not exist at the pharmacy (D21, D138). */
export interface UnknownOrder {
  /** The request that placed the order. */
  claimId: string;
  pharmacy: Pharmacy;
  isTest: boolean;
  outcome: SubmissionOutcome;
  unknownSince: Date;
}

/** No answer to the order, a report that the pharmacy does not have it, or an earlier look that did not find it. */
const isUnknown = (sql: Queryable) => sql`
  (outcome = 'unanswered' or unknown_since is not null or (outcome = 'accepted' and status = 'failed'))
`;

/** @returns undefined when the order exists for certain, or a repeated request is in progress */
export const findUnknownOrder = (sql: Queryable, submissionId: string) =>
  first(sql<UnknownOrder[]>`
    select claim_id, pharmacy, is_test, ${currentOutcome(sql)} as outcome,
      coalesce(unknown_since, updated_at) as unknown_since
    from router.submission
    where id = ${submissionId} and ${isUnknown(sql)}
  `);

export interface Asked {
  submissionId: string;
  claimId: string;
}

/** The pharmacy's verdict on an order; `response` is its answer. */
interface Look {
  pharmacyOrderId: string | null;
  response: string;
  /** Progress from webhooks that were rejected while the order was unknown here (D25). */
  progress?: PharmacyUpdate | undefined;
}

/**
 * Records what the pharmacy says about an unknown order (D114), with the progress of one that it has. An accepted order
 * that it does not have fails, one that it has again is submitted again, and one with another id takes it (D138).
 * @returns false, with nothing changed, when a repeated request took over or the order's existence is known
 */
export const reconcileUnknownOrder = (
  sql: Sql,
  { submissionId, claimId }: Asked,
  look: Look,
): Promise<boolean> =>
  sql.begin(async (sql) => {
    const [order] = await sql<(Order & { outcome: SubmissionOutcome })[]>`
      select id, source_order_id, pharmacy, pharmacy_order_id, status, tracking_number, carrier, parcels,
        ${currentOutcome(sql)} as outcome
      from router.submission
      where id = ${submissionId} and claim_id = ${claimId} and ${isUnknown(sql)}
      for update
    `;
    if (!order) return false;
    const { outcome, trackingNumber, carrier, parcels } = order;
    const { pharmacyOrderId } = look;
    await sql`update router.submission set unknown_since = null where id = ${submissionId}`;
    await closeWorkItem(sql, 'router', unknownOrderFact(submissionId));
    const isThere = outcome === 'accepted' && pharmacyOrderId === order.pharmacyOrderId;
    if (outcome === 'unanswered') await recordFirstOutcome(sql, submissionId, look);
    else await recordContact(sql, submissionId);
    if (outcome === 'accepted' && pharmacyOrderId === null)
      await recordProgress(sql, order, { status: 'failed', trackingNumber, carrier, parcels });
    else if (outcome !== 'unanswered' && pharmacyOrderId !== null && !isThere) {
      // It exists again, or has another id: webhooks and cancellations name that one from now on.
      await sql`
        update router.submission set pharmacy_order_id = ${pharmacyOrderId} where id = ${submissionId}
      `;
      const found = { ...order, pharmacyOrderId };
      const status = outcome === 'missing' ? 'submitted' : order.status;
      await recordProgress(sql, found, { status, trackingNumber, carrier, parcels });
    }
    // Nothing changes for an order that was there all along.
    if (!isThere && look.progress) await applyUpdate(sql, look.progress);
    return true;
  });

/**
 * Records the outcome of an unanswered order. If the order exists, queues an update for the client; otherwise the
 * recorded failure stands.
 */
async function recordFirstOutcome(
  sql: Queryable,
  submissionId: string,
  { pharmacyOrderId, response }: Look,
): Promise<void> {
  const exists = pharmacyOrderId !== null;
  const [{ clientId, source, ...order }] = await sql<
    [{ clientId: string; source: string; sourceOrderId: string; pharmacy: Pharmacy }]
  >`
    update router.submission set
      outcome = ${exists ? 'accepted' : 'rejected'}, status = ${exists ? 'submitted' : 'failed'},
      pharmacy_order_id = ${pharmacyOrderId}, response_payload = ${response},
      heard_at = now(), accepted_at = ${exists ? sql`now()` : null},
      error_message = ${exists ? null : sql`pharmacy || ' does not have the order'`}, updated_at = now()
    where id = ${submissionId}
    returning api_key_id as client_id, source, source_order_id, pharmacy
  `;
  if (exists) {
    const payload: UpdateCallback = {
      submissionId,
      ...order,
      status: 'submitted',
      pharmacyOrderId,
      trackingNumber: null,
      carrier: null,
    };
    await queueCallback(sql, { submissionId, kind: 'update', payload });
  } else await noteProgress(sql, submissionId, 'failed');
  await publishEvent(sql, 'router', {
    detailType: 'order.settled',
    aggregateId: submissionId,
    detail: {
      submissionId,
      clientId,
      ...order,
      sourceOrderId: keyOfOrder({ source, ...order }),
      pharmacyOrderId,
    } satisfies OrderSettled,
  });
}

/**
 * Opens the work item of an order that the pharmacy gives no answer about (D114).
 * @param workflowId of the search
 * @returns false when the outcome is known, or a repeated request is in progress
 */
export const reportUnknownOrder = (
  sql: Sql,
  { submissionId, claimId, workflowId }: Asked & { workflowId: string },
): Promise<boolean> =>
  sql.begin(async (sql) => {
    const [unknown] = await sql<{ source: string; sourceOrderId: string; isOwn: boolean }[]>`
      select source, source_order_id, ${isOwn(sql)}
      from router.submission
      where id = ${submissionId} and claim_id = ${claimId} and ${isUnknown(sql)}
      for update
    `;
    if (!unknown) return false;
    await openWorkItem(sql, 'router', {
      ...unknownOrderFact(submissionId),
      reason: 'unanswered',
      references: { submissionId, ...taskReferences(unknown) },
      workflowId,
    });
    return true;
  });

/** Unknown orders older than `olderThanSeconds` without a work item: the workflow that searches may be gone. */
export async function listUnknownOrders(sql: Queryable, olderThanSeconds: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from router.submission
    where unknown_since < now() - make_interval(secs => ${olderThanSeconds})
      and not exists (
        select from router.work_item
        where kind = 'order_unknown' and fact = submission.id::text and opened_at >= unknown_since
      )
    order by unknown_since
    limit 100
  `;
  return rows.map(({ id }) => id);
}
