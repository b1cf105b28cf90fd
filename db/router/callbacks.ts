import type { AttemptVerdict, CallbackKind, CallbackState } from '../../domain/router/callbacks.js';
import { taskReferences } from '../../domain/router/submission.js';
import { isOwn } from './own-orders.js';
import { callbackQueued } from '../../domain/events.js';
import { isRejection, rejectionsBeforeWorkItem } from '../../domain/http-status.js';
import { first, type Queryable, type Sql } from '../client.js';
import { appendToOutbox, type Waiting } from '../outbox.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';

/** Lets the submission finish first. */
const initialDelayMs = 1_000;

/**
 * Queues a callback behind the earlier ones of its submission, and the outbox entry that starts its delivery. Call it
 * in the transaction of the change. The submission's row lock orders the callbacks.
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
  // The initial callback repeats an answer that the client already has, so it can wait.
  await signalDelivery(sql, submissionId, kind === 'initial' ? { delayMs: initialDelayMs } : {});
}

const signalDelivery = (
  sql: Queryable,
  submissionId: string,
  detail: { delayMs?: number } = {},
): Promise<void> =>
  appendToOutbox(sql, 'router', {
    detailType: callbackQueued,
    aggregateId: submissionId,
    detail,
  });

export interface QueuedCallback {
  id: string;
  sequence: number;
  kind: CallbackKind;
  /** Increases with each requested redelivery. */
  series: number;
  /** Attempts in this series. */
  attempts: number;
  firstAttemptAt: Date | null;
  /** null: immediately. */
  nextAttemptAt: Date | null;
  /** The error of the latest attempt. */
  lastError: string | null;
}

export const findNextCallback = (sql: Queryable, submissionId: string) =>
  first(sql<QueuedCallback[]>`
    select id, sequence, kind, series, attempts, first_attempt_at, next_attempt_at, (
        select error from router.callback_attempt where callback_id = callback.id order by at desc limit 1
      ) as last_error
    from router.callback
    where submission_id = ${submissionId} and state = 'pending'
    order by sequence
    limit 1
  `);

export interface Delivery {
  submissionId: string;
  kind: CallbackKind;
  payload: string;
  callbackUrl: string;
  apiKeyId: string;
}

/** @returns undefined when the callback is no longer pending */
export const findDelivery = (sql: Queryable, callbackId: string) =>
  first(sql<Delivery[]>`
    select callback.submission_id, callback.kind, callback.payload, submission.callback_url, submission.api_key_id
    from router.callback
    join router.submission on submission.id = callback.submission_id
    where callback.id = ${callbackId} and callback.state = 'pending'
  `);

export interface CallbackAttempt {
  /** ISO 8601. */
  at: string;
  /** The receiver's status; null without an answer. */
  status: number | null;
  error: string | null;
  durationMs: number;
}

export interface RecordedAttempt extends CallbackAttempt {
  /** Makes repeated recording idempotent. */
  attemptId: string;
  submissionId: string;
  callbackId: string;
  series: number;
  /** Attempts of this series, including this one. */
  attempts: number;
  /** Epoch milliseconds. */
  firstAttemptAt: number;
  verdict: AttemptVerdict;
}

/** Records an attempt and its result; a redelivery requested in the meantime takes precedence. */
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
    else if (verdict.state === 'dead' || (noted.length > 0 && (await needsWorkItem(sql, attempt))))
      await reportCallback(sql, attempt);
  });
}

/** The third rejection opens a work item, and so does the first one after somebody answered it (D109). */
async function needsWorkItem(
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
  const [order] = await sql<{ source: string; sourceOrderId: string; isOwn: boolean }[]>`
    select source, source_order_id, ${isOwn(sql)} from router.submission where id = ${submissionId}
  `;
  await openWorkItem(sql, 'router', {
    ...deadCallback(callbackId),
    reason: verdict.state === 'dead' ? 'given_up' : 'refused',
    references: {
      submissionId,
      callbackId,
      ...taskReferences(order),
    },
    workflowId: `callbacks:${submissionId}`,
  });
}

const deadCallback = (callbackId: string) => ({ kind: 'callback_dead', fact: callbackId }) as const;

/**
 * Stops all callbacks of a submission, also later ones. Runs in a transaction. Updates the submission first, like
 * {@link queueCallback}, so that no callback slips in between.
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

/** A callback as its client sees it. */
export interface CallbackRecord {
  id: string;
  kind: CallbackKind;
  state: CallbackState;
  payload: string;
  nextAttemptAt: Date | null;
  attempts: { at: Date; status: number | null; error: string | null; durationMs: number }[];
}

/** The callbacks of a submission in delivery order with their attempts, from one snapshot. */
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
 * Makes a callback due now, with a new limit of 72 h.
 * @returns its previous state; `stopped` stays stopped; undefined when the submission has no such callback
 */
export const redeliverCallback = (
  sql: Sql,
  { submissionId, callbackId }: { submissionId: string; callbackId: string },
): Promise<CallbackState | undefined> =>
  sql.begin(async (sql) => {
    // Lock the submission first, like a stop does: a redelivery requested before a stop must not survive it.
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
    await signalDelivery(sql, submissionId);
    return callback.state;
  });

/** Submissions whose next callback is overdue: their workflow may be gone. */
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

export async function measureCallbacks(sql: Queryable): Promise<Waiting & { dead: number }> {
  const [row] = await sql<[Waiting & { dead: number }]>`
    select count(*)::int as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age_seconds,
      (select count(*)::int from router.callback where state = 'dead') as dead
    from router.callback
    where state = 'pending'
  `;
  return row;
}
