import type { OrderSettled } from '../../domain/events.js';
import type { UpdateCallback } from '../../domain/router/callbacks.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import { first, type Queryable, type Sql } from '../client.js';
import { publishEvent } from '../outbox.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';
import { queueCallback } from './callbacks.js';

/** A submission whose pharmacy did not answer: the order may exist (D21). */
export interface UnknownOrder {
  /** The request whose answer was lost. */
  claimId: string;
  pharmacy: Pharmacy;
  isTest: boolean;
  unknownSince: Date;
}

/** @returns undefined when the outcome is known, or a repeated request is in progress */
export const findUnknownOrder = (sql: Queryable, submissionId: string) =>
  first(sql<UnknownOrder[]>`
    select claim_id, pharmacy, is_test, coalesce(unknown_since, updated_at) as unknown_since
    from router.submission
    where id = ${submissionId} and outcome = 'unanswered'
  `);

export interface Asked {
  submissionId: string;
  claimId: string;
}

/** The work item of an order whose existence is unknown. */
export const unknownOrderFact = (submissionId: string) =>
  ({ kind: 'order_unknown', fact: submissionId }) as const;

/**
 * Records what the pharmacy says about an unknown order (D114). If the order exists, queues an update for the client;
 * otherwise the recorded failure stands.
 * @param response the pharmacy's answer
 * @returns false, with nothing changed, when a repeated request took over or the outcome is known
 */
export const reconcileUnknownOrder = (
  sql: Sql,
  { submissionId, claimId }: Asked,
  { pharmacyOrderId, response }: { pharmacyOrderId: string | null; response: string },
): Promise<boolean> =>
  sql.begin(async (sql) => {
    const exists = pharmacyOrderId !== null;
    const [settled] = await sql<{ clientId: string; sourceOrderId: string; pharmacy: Pharmacy }[]>`
      update router.submission set
        outcome = ${exists ? 'accepted' : 'rejected'}, status = ${exists ? 'submitted' : 'failed'},
        pharmacy_order_id = ${pharmacyOrderId}, response_payload = ${response}, unknown_since = null,
        heard_at = now(), accepted_at = ${exists ? sql`now()` : null},
        error_message = ${exists ? null : sql`pharmacy || ' does not have the order'`}, updated_at = now()
      where id = ${submissionId} and claim_id = ${claimId} and outcome = 'unanswered'
      returning api_key_id as client_id, source_order_id, pharmacy
    `;
    if (!settled) return false;
    const { clientId, ...order } = settled;
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
    }
    await closeWorkItem(sql, 'router', unknownOrderFact(submissionId));
    await publishEvent(sql, 'router', {
      detailType: 'order.settled',
      aggregateId: submissionId,
      detail: { submissionId, clientId, ...order, pharmacyOrderId } satisfies OrderSettled,
    });
    return true;
  });

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
    const [unknown] = await sql<{ source: string; sourceOrderId: string }[]>`
      select source, source_order_id
      from router.submission
      where id = ${submissionId} and claim_id = ${claimId} and outcome = 'unanswered'
      for update
    `;
    if (!unknown) return false;
    const { source, sourceOrderId: taskId } = unknown;
    await openWorkItem(sql, 'router', {
      ...unknownOrderFact(submissionId),
      reason: 'unanswered',
      references: { submissionId, ...(source === ownSource ? { taskId } : {}) },
      workflowId,
    });
    return true;
  });

/** The source of our own orchestrator, whose references are tasks. */
const ownSource = 'orchestrator';

/** Unknown orders older than `olderThanSeconds` without a work item: the workflow that searches may be gone. */
export async function listUnknownOrders(sql: Queryable, olderThanSeconds: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from router.submission
    where unknown_since < now() - make_interval(secs => ${olderThanSeconds})
      and not exists (
        select from router.work_item where kind = 'order_unknown' and fact = submission.id::text
      )
    order by unknown_since
    limit 100
  `;
  return rows.map(({ id }) => id);
}
