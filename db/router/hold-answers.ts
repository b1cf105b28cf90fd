import { directionsChanged, type DirectionsChanged } from '../../domain/events.js';
import { keyOfOrder } from '../../domain/clients.js';
import {
  type GivenChanges,
  type Hold,
  type HoldAnswer,
  type HoldChanges,
  lastsBeyondOrder,
} from '../../domain/router/holds.js';
import { isOwnOrder } from '../../domain/router/submission.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import { first, type Queryable, type Sql } from '../client.js';
import { closeWorkItem } from '../work-items.js';
import { publishEvent } from '../outbox.js';
import {
  findHeldOrder,
  type HoldKey,
  isOfEarlierOrder,
  reportOpenHolds,
  signalRun,
  workItemOf,
} from './holds.js';
import { recordContact } from './silence.js';

export type AnswerClaim = { number: number } | 'unknown' | 'conflict';

/**
 * Stores an answer to a hold for its run to send to the pharmacy (D100). The same answer again returns the number it
 * has.
 * @param hash equal for equal answers
 */
export const claimAnswer = (
  sql: Sql,
  key: HoldKey,
  {
    answer,
    text = null,
    changes,
  }: { answer: HoldAnswer['answer']; text?: string | null | undefined; changes?: GivenChanges | undefined },
  hash: string,
): Promise<AnswerClaim> =>
  sql.begin(async (sql) => {
    const { submissionId, holdId } = key;
    const [hold] = await sql<
      { state: Hold['state']; answerHash: string | null; answeredAt: Date | null; number: number }[]
    >`
      select state, answer_hash, answered_at, number
      from router.hold
      where submission_id = ${submissionId} and hold_id = ${holdId} and code is not null
        and not ${isOfEarlierOrder(sql)}
      for update
    `;
    if (!hold) return 'unknown';
    if (hold.answerHash === hash && (hold.state === 'open' || hold.answeredAt !== null))
      return { number: hold.number };
    if (hold.state !== 'open' || hold.answerHash !== null) return 'conflict';
    const { onceOnly = false, ...changed } = changes ?? {};
    await sql`
      update router.hold set
        answer = ${answer}, answer_text = ${text}, changes = ${changes ? sql.json(changed) : null},
        once_only = ${onceOnly}, answer_hash = ${hash}, number = number + 1, refusal = null
      where submission_id = ${submissionId} and hold_id = ${holdId}
    `;
    await signalRun(sql, key);
    return { number: hold.number + 1 };
  });

export interface AnswerUnderWay {
  pharmacy: Pharmacy;
  isTest: boolean;
  pharmacyOrderId: string;
  answer: HoldAnswer['answer'];
  answerText: string | null;
  changes: HoldChanges | null;
}

/** @returns undefined when this answer is no longer pending */
export const findAnswerUnderWay = (sql: Queryable, { submissionId, holdId }: HoldKey, number: number) =>
  first(sql<AnswerUnderWay[]>`
    select pharmacy, is_test, pharmacy_order_id, answer, answer_text, changes
    from router.hold
    join router.submission on submission.id = hold.submission_id
    where submission_id = ${submissionId} and hold_id = ${holdId} and number = ${number}
      and state = 'open' and answer is not null
  `);

/**
 * Records the pharmacy's reply: accepted, or a rejection, which leaves the hold open. An answer accepted while the
 * hold was released is kept.
 */
export const recordHoldReply = (
  sql: Sql,
  { submissionId, holdId, number, refusal }: HoldKey & { number: number; refusal: string | null },
): Promise<void> =>
  sql.begin(async (sql) => {
    const key = { submissionId, holdId };
    await sql`select from router.submission where id = ${submissionId} for update`;
    await recordContact(sql, submissionId);
    if (refusal !== null) {
      await sql`
        update router.hold set
          answer = null, answer_text = null, changes = null, answer_hash = null, refusal = ${refusal}
        where submission_id = ${submissionId} and hold_id = ${holdId} and number = ${number} and answered_at is null
      `;
      await reportOpenHolds(sql, submissionId);
      return;
    }
    const [taken] = await sql<{ changes: HoldChanges | null; onceOnly: boolean }[]>`
      update router.hold set
        state = case when state = 'open' then 'answered' else state end, answered_at = now()
      where submission_id = ${submissionId} and hold_id = ${holdId} and number = ${number}
        and answer is not null and answered_at is null
      returning changes, once_only
    `;
    if (!taken) return;
    await closeWorkItem(sql, 'router', workItemOf(key));
    if (taken.changes && !taken.onceOnly && lastsBeyondOrder(taken.changes))
      await publishDirections(sql, key);
  });

/** Tells the orchestrator which answer changed the directions of its order (D145), and nothing of them. */
async function publishDirections(sql: Queryable, { submissionId, holdId }: HoldKey): Promise<void> {
  const order = await findHeldOrder(sql, submissionId);
  if (!isOwnOrder(order)) return;
  const { apiKeyId: clientId } = order;
  const sourceOrderId = keyOfOrder(order);
  await publishEvent(sql, 'router', {
    detailType: directionsChanged,
    aggregateId: submissionId,
    detail: { submissionId, clientId, sourceOrderId, holdId } satisfies DirectionsChanged,
  });
}

/** A change to the order that the pharmacy accepted. */
export interface Amendment {
  holdId: string;
  changes: HoldChanges;
  at: Date;
}

export const listAmendments = (sql: Queryable, submissionId: string) =>
  sql<Amendment[]>`
    select hold_id, changes, answered_at as at
    from router.hold
    where submission_id = ${submissionId} and answered_at is not null and changes is not null
      and not ${isOfEarlierOrder(sql)}
    order by answered_at, position
  `;
