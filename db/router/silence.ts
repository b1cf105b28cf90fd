import type { Pharmacy } from '../../domain/pharmacies.js';
import type { Queryable, Sql } from '../client.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';

/** An order that is asked for now. */
export interface SilentOrder {
  submissionId: string;
  pharmacy: Pharmacy;
  isTest: boolean;
  pharmacyOrderId: string;
  askedAt: Date;
}

/** So many questions without an answer are a person's business (D102). */
const vainlyAsked = 3;

/**
 * Takes the next orders of which their pharmacy has said nothing for so long, those asked for longest ago first. What
 * has been asked for since `since` is left for the next check; what a person knows of already waits as long as any.
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
        and (asked_in_vain < ${vainlyAsked} or asked_at < ${silent})
      order by coalesce(asked_at, heard_at)
      limit ${limit}
      for update skip locked
    )
    returning id as submission_id, pharmacy, is_test, pharmacy_order_id, asked_at
  `;
}

/** Notes that a pharmacy gave no answer of an order; after three of them a person is asked (D102, D109). */
export const noteSilence = (
  sql: Sql,
  { submissionId, askedAt }: Pick<SilentOrder, 'submissionId' | 'askedAt'>,
): Promise<void> =>
  sql.begin(async (sql) => {
    const [order] = await sql<{ askedInVain: number; source: string; sourceOrderId: string }[]>`
      update router.submission set asked_in_vain = asked_in_vain + 1
      where id = ${submissionId} and asked_at = ${askedAt} and heard_at < ${askedAt}
      returning asked_in_vain, source, source_order_id
    `;
    if (!order || order.askedInVain < vainlyAsked) return;
    const { source, sourceOrderId: taskId } = order;
    await openWorkItem(sql, 'router', {
      ...silentOrder(submissionId),
      reason: 'pharmacy_silent',
      references: { submissionId, ...(source === 'orchestrator' ? { taskId } : {}) },
    });
  });

/** Has an order that was asked for in vain asked for by the next check; in vain again, it is a person's again (D109). */
export async function askAgain(sql: Queryable, submissionId: string): Promise<void> {
  await sql`
    update router.submission set asked_at = null, asked_in_vain = ${vainlyAsked - 1}
    where id = ${submissionId} and asked_in_vain >= ${vainlyAsked}
  `;
}

/** Notes that a pharmacy has said something of an order, whatever it was; under the order's lock. */
export async function noteHeard(sql: Queryable, submissionId: string): Promise<void> {
  await sql`
    update router.submission set heard_at = now(), asked_in_vain = 0 where id = ${submissionId}
  `;
  await closeWorkItem(sql, 'router', silentOrder(submissionId));
}

const silentOrder = (submissionId: string) => ({ kind: 'order_silent', fact: submissionId }) as const;
