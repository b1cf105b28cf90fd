import type { AttemptVerdict, CallbackKind, CallbackState } from '../../domain/router/callbacks.js';
import { callbackQueued } from '../../domain/events.js';
import { isRejection, rejectionsBeforeWorkItem } from '../../domain/http-status.js';
import { first, type Queryable, type Sql } from '../client.js';
import { appendToOutbox, type Waiting } from '../outbox.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';

/** Out of the way of the submission that it tells of, and of others beside it. */
const initialDelayMs = 1_000;

/**
 * Queues a callback behind those of the same submission, with the outbox entry that sets its delivery going. To be
 * called in the transaction of the change it tells of. It takes the submission's lock, which makes the order.
 */
export async function queueCallback(
  sql: Queryable,
  { submissionId, kind, payload }: { submissionId: string; kind: CallbackKind; payload: object },
): Promise<void> {
  await sql`
    with submission as (
      update router.submission set last_callback = last_callback + 1
      where id = ${submissionId}
      returning id, last_callback, callbacks_stopped
    )
    insert into router.callback (submission_id, sequence, kind, payload, state)
    select id, last_callback, ${kind}, ${JSON.stringify(payload)},
      case when callbacks_stopped then 'stopped' else 'pending' end
    from submission
  `;
  // Who submits has the answer by then, so nothing waits for the callback that repeats it.
  await nudgeDelivery(sql, submissionId, kind === 'initial' ? { delayMs: initialDelayMs } : {});
}

const nudgeDelivery = (
  sql: Queryable,
  submissionId: string,
  detail: { delayMs?: number } = {},
): Promise<void> =>
  appendToOutbox(sql, 'router', {
    source: 'router',
    detailType: callbackQueued,
    aggregateId: submissionId,
    organizationId: null,
    detail,
  });

/** The callback whose turn it is. */
export interface QueuedCallback {
  id: string;
  sequence: number;
  kind: CallbackKind;
  /** Grows with each redelivery that is asked for. */
  series: number;
  /** Made in this series. */
  attempts: number;
  firstAttemptAt: Date | null;
  /** null: at once. */
  nextAttemptAt: Date | null;
  /** The fault of the latest attempt. */
  lastError: string | null;
}

export const findNextCallback = (sql: Queryable, submissionId: string): Promise<QueuedCallback | undefined> =>
  first(sql<QueuedCallback[]>`
    select id, sequence, kind, series, attempts, first_attempt_at, next_attempt_at, (
        select error from router.callback_attempt where callback_id = callback.id order by at desc limit 1
      ) as last_error
    from router.callback
    where submission_id = ${submissionId} and state = 'pending'
    order by sequence
    limit 1
  `);

/** A body to send, its address, and the client it is for. */
export interface Delivery {
  submissionId: string;
  payload: string;
  callbackUrl: string;
  apiKeyId: string;
}

/** @returns undefined when the callback is not to be delivered any more */
export const findDelivery = (sql: Queryable, callbackId: string): Promise<Delivery | undefined> =>
  first(sql<Delivery[]>`
    select callback.submission_id, callback.payload, submission.callback_url, submission.api_key_id
    from router.callback
    join router.submission on submission.id = callback.submission_id
    where callback.id = ${callbackId} and callback.state = 'pending'
  `);

export interface CallbackAttempt {
  /** ISO 8601. */
  at: string;
  /** The receiver's, null without an answer. */
  status: number | null;
  error: string | null;
  durationMs: number;
}

export interface RecordedAttempt extends CallbackAttempt {
  /** Makes recording it twice harmless. */
  attemptId: string;
  submissionId: string;
  callbackId: string;
  series: number;
  /** Counts the attempts of this series, this one included. */
  attempts: number;
  /** Epoch milliseconds. */
  firstAttemptAt: number;
  verdict: AttemptVerdict;
}

/** Logs an attempt and what follows from it; a redelivery asked for in the meantime wins over a later time. */
export async function recordAttempt(sql: Sql, attempt: RecordedAttempt): Promise<void> {
  const { attemptId, submissionId, callbackId, at, status, error, durationMs, verdict } = attempt;
  await sql.begin(async (sql) => {
    const noted = await sql`
      insert into router.callback_attempt (id, callback_id, at, status, error, duration_ms)
      values (${attemptId}, ${callbackId}, ${at}, ${status}, ${error}, ${durationMs})
      on conflict (id) do nothing
      returning id
    `;
    if (verdict.state === 'stopped') {
      await stopCallbacks(sql, submissionId);
      return;
    }
    await sql`
      update router.callback set
        state = ${verdict.state}, attempts = ${attempt.attempts},
        first_attempt_at = ${new Date(attempt.firstAttemptAt)},
        next_attempt_at = ${verdict.nextAttemptAt === null ? null : new Date(verdict.nextAttemptAt)}
      where id = ${callbackId} and state = 'pending' and series = ${attempt.series}
    `;
    if (verdict.state === 'delivered') await closeWorkItem(sql, 'router', deadCallback(callbackId));
    else if (verdict.state === 'dead' || (noted.length > 0 && (await isForAPerson(sql, attempt))))
      await reportCallback(sql, attempt);
  });
}

/** The third refusal is for a person, while it is tried on; and so is the first one after they had it sent again (D109). */
async function isForAPerson(
  sql: Queryable,
  { callbackId, status, attempts }: RecordedAttempt,
): Promise<boolean> {
  if (!isRejection(status)) return false;
  const answers = await sql<{ status: number | null }[]>`
    select status from router.callback_attempt where callback_id = ${callbackId}
  `;
  const refusals = answers.filter((answer) => isRejection(answer.status)).length;
  return refusals === rejectionsBeforeWorkItem || (refusals > rejectionsBeforeWorkItem && attempts === 1);
}

async function reportCallback(
  sql: Queryable,
  { submissionId, callbackId, verdict }: RecordedAttempt,
): Promise<void> {
  const [order] = await sql<{ source: string; sourceOrderId: string }[]>`
    select source, source_order_id from router.submission where id = ${submissionId}
  `;
  await openWorkItem(sql, 'router', {
    ...deadCallback(callbackId),
    reason: verdict.state === 'dead' ? 'given_up' : 'refused',
    references: {
      submissionId,
      callbackId,
      ...(order?.source === 'orchestrator' ? { taskId: order.sourceOrderId } : {}),
    },
    workflowId: `callbacks:${submissionId}`,
  });
}

const deadCallback = (callbackId: string) => ({ kind: 'callback_dead', fact: callbackId }) as const;

/**
 * Ends the callbacks of a submission for good, those to come too; in a transaction. The submission first, as everybody
 * who queues a callback: none can slip in between.
 */
export async function stopCallbacks(sql: Queryable, submissionId: string): Promise<void> {
  await sql`update router.submission set callbacks_stopped = true where id = ${submissionId}`;
  const stopped = await sql<{ id: string }[]>`
    update router.callback set state = 'stopped', next_attempt_at = null
    where submission_id = ${submissionId} and state = 'pending'
    returning id
  `;
  for (const { id } of stopped) await closeWorkItem(sql, 'router', deadCallback(id));
}

/** A callback as its client reads it. */
export interface CallbackRecord {
  id: string;
  kind: CallbackKind;
  state: CallbackState;
  payload: string;
  nextAttemptAt: Date | null;
  attempts: { at: Date; status: number | null; error: string | null; durationMs: number }[];
}

/** Lists callbacks as they are delivered, each with its attempts, oldest first, all as of one moment. */
export const listCallbacks = (sql: Sql, submissionId: string): Promise<CallbackRecord[]> =>
  sql.begin('isolation level repeatable read read only', async (sql) => {
    const callbacks = await sql<Omit<CallbackRecord, 'attempts'>[]>`
      select id, kind, state, payload, next_attempt_at
      from router.callback
      where submission_id = ${submissionId}
      order by sequence
    `;
    const attempts = await sql<(CallbackRecord['attempts'][number] & { callbackId: string })[]>`
      select callback_id, at, status, error, duration_ms
      from router.callback_attempt
      where callback_id = any(${callbacks.map(({ id }) => id)}::uuid[])
      order by at, id
    `;
    return callbacks.map((callback) => ({
      ...callback,
      attempts: attempts.filter(({ callbackId }) => callbackId === callback.id),
    }));
  });

/**
 * Makes a callback due at once, with 72 h before it again, whatever has become of it.
 * @returns the state it was in: `stopped` is left so; undefined when the submission has no such callback
 */
export const redeliverCallback = (
  sql: Sql,
  { submissionId, callbackId }: { submissionId: string; callbackId: string },
): Promise<CallbackState | undefined> =>
  sql.begin(async (sql) => {
    // The submission first, as in a stop: what was asked for before it must not survive it.
    await sql`select from router.submission where id = ${submissionId} for update`;
    const [callback] = await sql<{ state: CallbackState; isStopped: boolean }[]>`
      select state, callbacks_stopped as is_stopped
      from router.callback
      join router.submission on submission.id = callback.submission_id
      where callback.id = ${callbackId} and callback.submission_id = ${submissionId}
    `;
    if (!callback) return undefined;
    if (callback.isStopped) return 'stopped' as const;
    await sql`
      update router.callback set
        state = 'pending', series = series + 1, attempts = 0, first_attempt_at = null, next_attempt_at = null
      where id = ${callbackId}
    `;
    await nudgeDelivery(sql, submissionId);
    return callback.state;
  });

/** Submissions whose next callback should have been tried some time ago: nobody seems to be at it. */
export async function listOverdueQueues(
  sql: Queryable,
  { overdueSeconds, limit }: { overdueSeconds: number; limit: number },
): Promise<string[]> {
  const rows = await sql<{ submissionId: string }[]>`
    select submission_id
    from (
      select distinct on (submission_id) submission_id, coalesce(next_attempt_at, created_at) as due_at
      from router.callback
      where state = 'pending'
      order by submission_id, sequence
    ) as head
    where due_at < now() - ${overdueSeconds} * interval '1 second'
    order by due_at
    limit ${limit}
  `;
  return rows.map(({ submissionId }) => submissionId);
}

/** What clients have yet to be told, and what of it was given up. */
export async function measureCallbacks(sql: Queryable): Promise<Waiting & { dead: number }> {
  const [row] = await sql<[Waiting & { dead: number }]>`
    select count(*)::int as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age_seconds,
      (select count(*)::int from router.callback where state = 'dead') as dead
    from router.callback
    where state = 'pending'
  `;
  return row;
}
