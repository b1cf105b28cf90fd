import type { Pharmacy } from '../../domain/pharmacies.js';
import { taskReferences } from '../../domain/router/submission.js';
import { isOwn } from './own-orders.js';
import type { Queryable, Sql } from '../client.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';
import { endLook } from './looks.js';

/** An order whose status to query now. */
export interface SilentOrder {
  submissionId: string;
  pharmacy: Pharmacy;
  isTest: boolean;
  pharmacyOrderId: string;
  askedAt: Date;
}

/** After this many queries without an answer, open a work item (D102). */
const maxUnanswered = 3;

/**
 * Takes the orders whose pharmacy has sent nothing for `silentMs`, longest unqueried first. Skips orders queried
 * after `since`. Orders with an open work item are queried once per `silentMs`.
 */
export async function takeSilentOrders(
  sql: Queryable,
  {
    pharmacies,
    silentMs,
    since,
    limit,
  }: {
    pharmacies: readonly Pharmacy[];
    silentMs: number;
    since: Date;
    limit: number;
  },
): Promise<SilentOrder[]> {
  const silent = sql`now() - ${silentMs} * interval '1 millisecond'`;
  return sql<SilentOrder[]>`
    update router.submission set asked_at = date_trunc('milliseconds', now())
    where id in (
      select id
      from router.submission
      where outcome = 'accepted' and status in ('submitted', 'processing', 'shipped')
        and pharmacy = any(${[...pharmacies]}) and heard_at < ${silent}
        and (asked_at is null or asked_at < ${since})
        and (asked_in_vain < ${maxUnanswered} or asked_at < ${silent})
      order by coalesce(asked_at, heard_at)
      limit ${limit}
      for update skip locked
    )
    returning id as submission_id, pharmacy, is_test, pharmacy_order_id, asked_at
  `;
}

/** Counts a status query without an answer; the third one opens a work item (D102, D109). */
export const noteSilence = (
  sql: Sql,
  { submissionId, askedAt }: Pick<SilentOrder, 'submissionId' | 'askedAt'>,
): Promise<void> =>
  sql.begin(async (sql) => {
    const [order] = await sql<
      { askedInVain: number; source: string; sourceOrderId: string; isOwn: boolean }[]
    >`
      update router.submission set asked_in_vain = asked_in_vain + 1
      where id = ${submissionId} and asked_at = ${askedAt} and heard_at < ${askedAt}
      returning asked_in_vain, source, source_order_id, ${isOwn(sql)}
    `;
    if (!order || order.askedInVain < maxUnanswered) return;
    await openWorkItem(sql, 'router', {
      ...silentOrder(submissionId),
      reason: 'pharmacy_silent',
      references: { submissionId, ...taskReferences(order) },
    });
  });

/** Makes the next check query an order again; another query without an answer reopens its work item (D109). */
export async function askAgain(sql: Queryable, submissionId: string): Promise<void> {
  await sql`
    update router.submission set asked_at = null, asked_in_vain = ${maxUnanswered - 1}
    where id = ${submissionId} and asked_in_vain >= ${maxUnanswered}
  `;
}

/** Records any contact from the pharmacy, which also ends a look for the order. The caller holds the order's lock. */
export async function recordContact(sql: Queryable, submissionId: string): Promise<void> {
  await sql`
    update router.submission set heard_at = now(), asked_in_vain = 0 where id = ${submissionId}
  `;
  await endSilence(sql, submissionId);
  await endLook(sql, submissionId);
}

/** A final order is asked for no more. */
export const endSilence = (sql: Queryable, submissionId: string) =>
  closeWorkItem(sql, 'router', silentOrder(submissionId));

const silentOrder = (submissionId: string) => ({ kind: 'order_silent', fact: submissionId }) as const;
