import { paymentRecoveryDue } from '../../domain/events.js';
import type { DepartureReason } from '../../domain/orchestrator/departures.js';
import { failureCode, paymentRecoveryPrefix, type DunningState } from '../../domain/orchestrator/dunning.js';
import { isChargedAgain } from '../../domain/orchestrator/shipments.js';
import { idPart } from '../../platform/crypto/ids.js';
import { first, type Queryable, type Sql } from '../client.js';
import { publishEvent } from '../outbox.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';
import type { Payment } from './payments.js';

/** The dunning of a task or refill (D107), with its payment. */
export interface Dunning extends Pick<
  Payment,
  'status' | 'reason' | 'amountCents' | 'currency' | 'attempt' | 'customerId' | 'paymentMethodId'
> {
  /** The task id, or the reference of a refill. */
  reference: string;
  /** The task id under which the run is recorded. */
  taskId: string;
  /** Whose it is (D140); '' is the default client. */
  client: string;
  emrPatientId: string;
  /** Medication key; null when the order is unknown. */
  medication: string | null;
  state: DunningState;
  /** Planned retries made, and messages sent to the patient. */
  retriesDone: number;
  messagesSent: number;
  /** When the patient saved a card that was not charged yet. */
  newCardAt: Date | null;
  /** The patient's card for the planned charges; null when there is none. */
  savedCustomerId: string | null;
  savedPaymentMethodId: string | null;
  /** Why the saved card was declined for this charge; null when it was not charged for it. */
  savedReason: string | null;
  /** When the patient handed in the card of the current attempt; null: it was the saved one (D160). */
  handedInAt: Date | null;
  nextAt: Date;
  openedAt: Date;
  endedAt: Date | null;
  /** Why the patient is not charged and reminded any more; null for any other patient (D117). */
  departure: DepartureReason | null;
}

/** The run whose order was replaced, if the charge is a replacement's (D120). */
const replacedRun = (sql: Queryable) => sql`(
  select run_id from orchestrator.replacement replacement where replacement.reference = recovery.reference
)`;

const recoveries = (sql: Queryable) => sql`
  select reference, coalesce(run.task_id, reference) as task_id, coalesce(run.client, '') as client, payment.emr_patient_id, run.medication, recovery.state,
    retries_done, messages_sent,
    case when new_card_at is distinct from charged_card_at then new_card_at end as new_card_at,
    profile.customer_id as saved_customer_id, profile.payment_method_id as saved_payment_method_id,
    case when declined_card_id is not distinct from profile.payment_method_id then declined_reason end as saved_reason,
    payment.handed_in_at, next_at, opened_at, ended_at,
    payment.status, payment.reason, payment.amount_cents, payment.currency, payment.attempt, payment.customer_id,
    payment.payment_method_id, departure.reason as departure
  from orchestrator.payment_recovery recovery
  join orchestrator.payment payment on payment.task_id = reference
  left join orchestrator.payment_profile profile on profile.emr_patient_id = payment.emr_patient_id
  left join orchestrator.task task on task.task_id = reference
  left join orchestrator.run run on run.id = coalesce(task.run_id, ${replacedRun(sql)})
  left join orchestrator.patient_departure departure on departure.emr_patient_id = payment.emr_patient_id
`;

export const findDunning = (sql: Queryable, reference: string) =>
  first(sql<Dunning[]>`${recoveries(sql)} where reference = ${reference}`);

/** Newest first. */
export const listDunnings = (
  sql: Queryable,
  {
    client,
    state,
    limit,
    before,
  }: {
    /** undefined: of all clients. */
    client?: string | undefined;
    state?: DunningState | undefined;
    limit: number;
    before?: { openedAt: Date; reference: string };
  },
) =>
  sql<Dunning[]>`
    ${recoveries(sql)}
    where true
      ${client === undefined ? sql`` : sql`and coalesce(run.client, '') = ${client}`}
      ${state === undefined ? sql`` : sql`and recovery.state = ${state}`}
      ${before === undefined ? sql`` : sql`and (opened_at, reference) < (${before.openedAt}, ${before.reference})`}
    order by opened_at desc, reference desc
    limit ${limit}
  `;

/** Open dunnings whose workflow is overdue by `overdueSeconds`. */
export const listOverdueDunnings = (
  sql: Queryable,
  { overdueSeconds, limit }: { overdueSeconds: number; limit: number },
) =>
  sql<Pick<Dunning, 'reference' | 'taskId'>[]>`
    select reference, coalesce(run.task_id, reference) as task_id
    from orchestrator.payment_recovery recovery
    left join orchestrator.task task on task.task_id = reference
    left join orchestrator.run run on run.id = coalesce(task.run_id, ${replacedRun(sql)})
    where recovery.state = 'open' and next_at < now() - make_interval(secs => ${overdueSeconds})
    order by next_at
    limit ${limit}
  `;

/**
 * Opens the dunning of a failed charge, or resumes it. Call it in the transaction that records the failure and locks
 * the payment.
 */
export async function openDunning(sql: Queryable, reference: string): Promise<void> {
  // The work item `shipped_after_cancel` stays open instead.
  if (isChargedAgain(reference)) return;
  await sql`
    insert into orchestrator.payment_recovery (reference) values (${reference})
    on conflict (reference) do nothing
  `;
  await sql`
    update orchestrator.payment_recovery set
      declined_card_id = payment.payment_method_id, declined_reason = coalesce(payment.reason, 'declined')
    from orchestrator.payment
    where reference = ${reference} and payment.task_id = reference and payment.status = 'failed'
      and payment.handed_in_at is null
  `;
  const recovery = await findDunning(sql, reference);
  if (recovery?.state === 'open') await publishDue(sql, reference);
  // A manual retry has failed: reopen the work item.
  if (recovery?.state === 'unpaid') await reportUnpaid(sql, recovery);
}

/** Closes the dunning of a payment that succeeded. Call it in the transaction that records the success. */
export async function closeDunning(sql: Queryable, reference: string): Promise<void> {
  const { count } = await sql`
    update orchestrator.payment_recovery set state = 'paid', ended_at = now()
    where reference = ${reference} and state in ('open', 'unpaid')
  `;
  if (count === 0) return;
  await closeWorkItem(sql, 'orchestrator', { kind: 'payment_unpaid', fact: reference });
  await publishDue(sql, reference);
}

/**
 * Ends charging for a cancelled task, also when no charge has failed yet (D104). A charge that is already pending
 * stays pending until its result arrives. Call it in the transaction that cancels the task.
 */
export async function cancelDunning(sql: Queryable, reference: string): Promise<void> {
  // Opening a charge takes the same lock, so one of the two comes first.
  await lockStatus(sql, reference);
  await sql`
    insert into orchestrator.payment_recovery as recovery (reference, state, ended_at)
    values (${reference}, 'cancelled', now())
    on conflict (reference) do update set state = 'cancelled', ended_at = now()
    where recovery.state in ('open', 'unpaid')
  `;
  await closeWorkItem(sql, 'orchestrator', { kind: 'payment_unpaid', fact: reference });
  await publishDue(sql, reference);
}

/** The status of a charge, whose payment stays locked until the transaction ends; undefined without one. */
async function lockStatus(sql: Queryable, reference: string): Promise<Payment['status'] | undefined> {
  const payment = await first(sql<Pick<Payment, 'status'>[]>`
    select status from orchestrator.payment where task_id = ${reference} for update
  `);
  return payment?.status;
}

/** Ends charging for a task that keeps its order. @returns false while a charge may still succeed */
export const waiveCharge = (sql: Sql, reference: string): Promise<boolean> =>
  sql.begin(async (sql) => {
    if ((await lockStatus(sql, reference)) === 'pending') return false;
    await cancelDunning(sql, reference);
    return true;
  });

/** True if a message or reminder has named the amount of a charge to the patient (D107). */
export async function isTold(sql: Queryable, reference: string): Promise<boolean> {
  const { count } = await sql`
    select from orchestrator.payment_recovery where reference = ${reference} and messages_sent > 0
  `;
  return count > 0;
}

/**
 * Ends the dunnings of a patient who has left, each with a work item (D117). A charge in doubt may still be paid. Call
 * it in the transaction that records the departure.
 */
export async function endDunningsOf(sql: Queryable, emrPatientId: string): Promise<void> {
  const ended = await sql<{ reference: string }[]>`
    update orchestrator.payment_recovery recovery set state = 'unpaid', ended_at = now()
    from orchestrator.payment payment
    where payment.task_id = recovery.reference and payment.emr_patient_id = ${emrPatientId}
      and recovery.state = 'open'
    returning reference
  `;
  for (const { reference } of ended) {
    const recovery = await findDunning(sql, reference);
    if (recovery) await reportUnpaid(sql, recovery);
    await publishDue(sql, reference);
  }
}

/** Ends a dunning after its last retry and opens a work item; does nothing unless the payment is `failed`. */
export async function giveUpDunning(sql: Sql, reference: string): Promise<void> {
  await sql.begin(async (sql) => {
    if ((await lockStatus(sql, reference)) !== 'failed') return;
    const { count } = await sql`
      update orchestrator.payment_recovery set state = 'unpaid', ended_at = now()
      where reference = ${reference} and state = 'open'
    `;
    const recovery = count > 0 && (await findDunning(sql, reference));
    if (recovery) await reportUnpaid(sql, recovery);
  });
}

const reportUnpaid = (sql: Queryable, recovery: Dunning): Promise<void> =>
  openUnpaid(sql, recovery, recovery.departure ?? failureCode(recovery.reason));

const openUnpaid = (
  sql: Queryable,
  { reference, taskId }: Pick<Dunning, 'reference' | 'taskId'>,
  reason: string,
): Promise<void> =>
  openWorkItem(sql, 'orchestrator', {
    kind: 'payment_unpaid',
    fact: reference,
    reason,
    references: { taskId, reference },
    workflowId: paymentRecoveryPrefix + idPart(reference),
  });

/**
 * Counts a try by payment link, before anything is tried: 5 an hour and 15 in all (D160). The first rejected try opens
 * the work item; one that a person closed stays closed.
 * @returns undefined if the try may proceed; otherwise when the next one may, null for never
 */
export const takeTry = (
  sql: Sql,
  { reference, taskId }: Pick<Dunning, 'reference' | 'taskId'>,
): Promise<{ retryAfterSeconds: number | null } | undefined> =>
  sql.begin(async (sql) => {
    const [tries] = await sql<{ inAll: number; waitSeconds: number | null }[]>`
      select cardinality(tried_at) as in_all,
        ceil(extract(epoch from tried_at[cardinality(tried_at) + 1 - ${triesPerHour}] + interval '1 hour' - now()))::int
          as wait_seconds
      from orchestrator.payment_recovery where reference = ${reference} for update
    `;
    const { inAll = 0, waitSeconds = null } = tries ?? {};
    if (inAll < triesInAll && (waitSeconds ?? 0) <= 0) {
      await sql`
        update orchestrator.payment_recovery set tried_at = tried_at || now()::timestamptz(3)
        where reference = ${reference}
      `;
      return undefined;
    }
    const known = await sql`
      select from orchestrator.work_item where kind = 'payment_unpaid' and fact = ${reference}
    `;
    if (known.length === 0) await openUnpaid(sql, { reference, taskId }, 'too_many_attempts');
    return { retryAfterSeconds: inAll < triesInAll ? waitSeconds : null };
  });

const triesPerHour = 5;
const triesInAll = 15;

/** Records progress. Omitted fields stay; counts never decrease. */
export async function recordDunningProgress(
  sql: Queryable,
  reference: string,
  done: { retriesDone?: number; messagesSent?: number; chargedCardAt?: Date; nextAt?: Date },
): Promise<void> {
  const { retriesDone = 0, messagesSent = 0, chargedCardAt = null, nextAt = null } = done;
  await sql`
    update orchestrator.payment_recovery set
      retries_done = greatest(retries_done, ${retriesDone}), messages_sent = greatest(messages_sent, ${messagesSent}),
      charged_card_at = greatest(charged_card_at, ${chargedCardAt}), next_at = coalesce(${nextAt}, next_at)
    where reference = ${reference}
  `;
}

/** Charges the open debts of a patient to a card saved just now. Call it in the transaction that stores the card. */
export async function chargeToNewCard(sql: Queryable, emrPatientId: string, savedAt: Date): Promise<void> {
  const owed = await sql<{ reference: string }[]>`
    update orchestrator.payment_recovery recovery set new_card_at = ${savedAt}
    from orchestrator.payment payment
    where payment.task_id = recovery.reference and payment.emr_patient_id = ${emrPatientId}
      and recovery.state = 'open' and (new_card_at is null or new_card_at < ${savedAt})
    returning reference
  `;
  for (const { reference } of owed) await publishDue(sql, reference);
}

/** Signals the dunning workflow. The caller holds the payment or the dunning locked, which orders these events. */
const publishDue = (sql: Queryable, reference: string): Promise<string> =>
  publishEvent(sql, 'orchestrator', {
    detailType: paymentRecoveryDue,
    aggregateId: `payment-${idPart(reference)}`,
    detail: { reference },
  });

export async function countOpenDunnings(sql: Queryable): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from orchestrator.payment_recovery where state = 'open'
  `;
  return row.count;
}
