import { holdChanged } from '../../domain/events.js';
import type { HoldCallback } from '../../domain/router/callbacks.js';
import { type Hold, presentedHold, type ReportedHold } from '../../domain/router/holds.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import {
  isOwnOrder,
  isReplacement,
  taskReferences,
  type SubmissionStatus,
} from '../../domain/router/submission.js';
import { workItemKinds } from '../../domain/work-items.js';
import { idPart } from '../../platform/crypto/ids.js';
import { first, type Queryable } from '../client.js';
import { appendToOutbox } from '../outbox.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';
import { queueCallback } from './callbacks.js';

/** The fields of a hold that a client can see. An answer appears once the pharmacy has accepted it. */
const columns = (sql: Queryable) => sql`
  hold_id as id, code, pharmacy_code, message, until, state, opened_at,
  case when answered_at is not null then answer end as answer, answered_at
`;

/** A hold of an order that the pharmacy lost before it took the current one under the same submission (D138). */
export const isOfEarlierOrder = (sql: Queryable) => sql`
  (hold.opened_at < (select submitted_at from router.submission where id = hold.submission_id))
`;

/**
 * What a pharmacy says of another order under a hold's id replaces the old row. So does its report of an unanswered
 * hold that only the loss of the order released. The number stays, since it is part of the key of an answer.
 */
const replacingEarlier = (sql: Queryable) => sql`
  on conflict (submission_id, hold_id) do update set
    position = default, opened_at = now(), looked_at = now(), code = excluded.code,
    pharmacy_code = excluded.pharmacy_code, message = excluded.message, until = excluded.until,
    state = excluded.state, answer = null, answer_text = null, changes = null, once_only = false,
    answer_hash = null, answered_at = null, refusal = null, is_lost = false
    where ${isOfEarlierOrder(sql)} or (hold.is_lost and hold.answered_at is null)
`;

/** The holds of an order, oldest first. A row without a code is a release that arrived before its hold. */
export const listHolds = (sql: Queryable, submissionId: string) =>
  sql<Hold[]>`
    select ${columns(sql)}
    from router.hold
    where submission_id = ${submissionId} and code is not null and not ${isOfEarlierOrder(sql)}
    order by position
  `;

export interface HoldKey {
  submissionId: string;
  /** The pharmacy's id. */
  holdId: string;
}

/**
 * Opens a hold (D100), unless it was opened before, or the pharmacy released it. The caller holds the lock of an order
 * that has not shipped and is not final.
 * @returns whether it was opened
 */
export async function openHold(sql: Queryable, submissionId: string, hold: ReportedHold): Promise<boolean> {
  const { id: holdId, code, pharmacyCode, message, until } = hold;
  const [opened] = await sql<Hold[]>`
    insert into router.hold (submission_id, hold_id, code, pharmacy_code, message, until, state)
    values (${submissionId}, ${holdId}, ${code}, ${pharmacyCode}, ${message}, ${until}, 'open')
    ${replacingEarlier(sql)}
    returning ${columns(sql)}
  `;
  if (!opened) {
    // The release arrived first: fill in the question and leave the hold released.
    await sql`
      update router.hold set
        code = ${code}, pharmacy_code = ${pharmacyCode}, message = ${message}, until = ${until}
      where submission_id = ${submissionId} and hold_id = ${holdId} and code is null
    `;
    return false;
  }
  const order = await findHeldOrder(sql, submissionId);
  await reportHold(sql, order, { holdId, code });
  await queueHoldCallback(sql, order, opened);
  await signalRun(sql, { submissionId, holdId });
  return true;
}

/** Releases a hold, also one that has not arrived yet. The caller holds the order's lock. */
export async function releaseHold(sql: Queryable, { submissionId, holdId }: HoldKey): Promise<void> {
  // From now on the pharmacy's word releases it, and a repeat does not open it.
  await sql`
    update router.hold set is_lost = false where submission_id = ${submissionId} and hold_id = ${holdId} and is_lost
  `;
  await sql`
    insert into router.hold (submission_id, hold_id, state) values (${submissionId}, ${holdId}, 'released')
    ${replacingEarlier(sql)}
  `;
  await release(sql, submissionId, sql`hold_id = ${holdId}`);
}

/**
 * Releases all holds of an order that has shipped or is final. The caller holds the order's lock.
 * @param isLost the pharmacy does not have the order, so it released nothing itself (D138)
 */
export const releaseHolds = (sql: Queryable, submissionId: string, isLost: boolean): Promise<boolean> =>
  release(sql, submissionId, sql`true`, isLost);

/** Releases the unanswered holds, because the pharmacy reports none. The caller holds the order's lock. */
export const releaseUnanswered = (sql: Queryable, submissionId: string): Promise<boolean> =>
  release(sql, submissionId, sql`state = 'open' and answer is null`);

/** @returns whether any was released */
async function release(
  sql: Queryable,
  submissionId: string,
  which: ReturnType<typeof columns>,
  isLost = false,
): Promise<boolean> {
  const released = await sql<Hold[]>`
    update router.hold set state = 'released', is_lost = ${isLost}
    where submission_id = ${submissionId} and state <> 'released' and ${which}
    returning ${columns(sql)}
  `;
  if (released.length === 0) return false;
  const order = await findHeldOrder(sql, submissionId);
  for (const hold of released) {
    const key = { submissionId, holdId: hold.id };
    await closeWorkItem(sql, 'router', workItemOf(key));
    await queueHoldCallback(sql, order, hold);
    await signalRun(sql, key);
  }
  return true;
}

/**
 * Opens a work item, only for our own orders: other clients answer theirs (D109). A replacement is not rerouted (D120).
 */
async function reportHold(
  sql: Queryable,
  order: HeldOrder,
  { holdId, code }: { holdId: string; code: string },
): Promise<void> {
  if (!isOwnOrder(order)) return;
  const submissionId = order.id;
  const canReroute = !isReplacement(order.sourceOrderId);
  await openWorkItem(sql, 'router', {
    ...workItemOf({ submissionId, holdId }),
    reason: code,
    references: { submissionId, ...taskReferences(order), holdId },
    workflowId: `hold:${submissionId}:${idPart(holdId)}`,
    answers: workItemKinds.pharmacy_hold.answers.filter((answer) => canReroute || answer !== 'reroute'),
  });
}

/**
 * Opens the work items of unanswered holds again, after an action did not help (D109). The caller holds the order's
 * lock.
 */
export async function reportOpenHolds(sql: Queryable, submissionId: string): Promise<void> {
  const holds = await sql<{ holdId: string; code: string }[]>`
    select hold_id, code from router.hold
    where submission_id = ${submissionId} and state = 'open' and answer is null and code is not null
  `;
  if (holds.length === 0) return;
  const order = await findHeldOrder(sql, submissionId);
  for (const hold of holds) await reportHold(sql, order, hold);
}

interface HeldOrder {
  id: string;
  apiKeyId: string;
  source: string;
  sourceOrderId: string;
  pharmacy: Pharmacy;
  pharmacyOrderId: string;
  status: SubmissionStatus;
  trackingNumber: string | null;
  carrier: string | null;
  receivesHolds: boolean;
  isOwn: boolean;
}

export async function findHeldOrder(sql: Queryable, submissionId: string): Promise<HeldOrder> {
  const [order] = await sql<HeldOrder[]>`
    select submission.id, api_key_id, source, source_order_id, pharmacy, pharmacy_order_id, status, tracking_number, carrier,
      receives_holds, is_own
    from router.submission
    join access.api_key on api_key.id = submission.api_key_id
    where submission.id = ${submissionId}
  `;
  if (!order) throw new Error('A held order is gone');
  return order;
}

/** Notifies clients that receive holds (D103). */
async function queueHoldCallback(sql: Queryable, order: HeldOrder, hold: Hold): Promise<void> {
  if (!order.receivesHolds) return;
  const { id: submissionId, sourceOrderId, pharmacy, pharmacyOrderId } = order;
  const { status, trackingNumber, carrier } = order;
  const payload: HoldCallback = {
    submissionId,
    sourceOrderId,
    pharmacy,
    status,
    pharmacyOrderId,
    trackingNumber,
    carrier,
    hold: presentedHold(hold),
  };
  await queueCallback(sql, { submissionId, kind: 'hold', payload });
}

export const workItemOf = ({ submissionId, holdId }: HoldKey) =>
  ({ kind: 'pharmacy_hold', fact: `${submissionId}:${holdId}` }) as const;

export const signalRun = (sql: Queryable, { submissionId, holdId }: HoldKey): Promise<void> =>
  appendToOutbox(sql, 'router', {
    detailType: holdChanged,
    aggregateId: submissionId,
    detail: { holdId },
  });

/** A hold as its run sees it. */
export interface FollowedHold {
  state: Hold['state'];
  code: string;
  until: string | null;
  /** The number of the latest answer. */
  number: number;
  /** The latest answer has no reply from the pharmacy yet. */
  isUnderWay: boolean;
  pharmacy: Pharmacy;
}

export const findFollowedHold = (sql: Queryable, { submissionId, holdId }: HoldKey) =>
  first(sql<FollowedHold[]>`
    select state, code, until, number, state = 'open' and answer is not null as is_under_way, pharmacy
    from router.hold
    join router.submission on submission.id = hold.submission_id
    where submission_id = ${submissionId} and hold_id = ${holdId} and code is not null
  `);

export interface AnsweredHold {
  hold: Hold;
  /** The pharmacy's text when it rejected the latest answer. */
  refusal: string | null;
  number: number;
}

export async function findHold(
  sql: Queryable,
  { submissionId, holdId }: HoldKey,
): Promise<AnsweredHold | undefined> {
  const [row] = await sql<(Hold & { refusal: string | null; number: number })[]>`
    select ${columns(sql)}, refusal, number
    from router.hold
    where submission_id = ${submissionId} and hold_id = ${holdId} and code is not null
  `;
  if (!row) return undefined;
  const { refusal, number, ...hold } = row;
  return { hold, refusal, number };
}

/**
 * Unreleased holds whose last check is older than `olderThanSeconds`: their runs may be gone. Marks them as checked.
 */
export const listUnreleasedHolds = (sql: Queryable, olderThanSeconds: number) =>
  sql<HoldKey[]>`
    update router.hold set looked_at = now()
    where (submission_id, hold_id) in (
      select submission_id, hold_id
      from router.hold
      where state <> 'released' and looked_at < now() - ${olderThanSeconds} * interval '1 second'
      order by looked_at
      limit 100
    )
    returning submission_id, hold_id
  `;
