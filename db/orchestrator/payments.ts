import {
  type CouponTerms,
  lockCoupon,
  type Redemption,
  redeemCoupon,
  returnCoupon,
} from '../coupon-redemptions.js';
import type { Queryable, Sql } from '../client.js';
import { closeRecovery, openRecovery } from './payment-recoveries.js';

/** The card that a patient saved, and what was agreed with it (D37). */
export interface PaymentProfile {
  customerId: string;
  paymentMethodId: string;
  couponId: string | null;
  amountCents: number | null;
  currency: string;
  /** Of the plan whose price it is (D87); null where it is not known, or there is none. */
  intakeType: string | null;
}

export async function findPaymentProfile(
  sql: Queryable,
  emrPatientId: string,
): Promise<PaymentProfile | undefined> {
  const [profile] = await sql<PaymentProfile[]>`
    select customer_id, payment_method_id, coupon_id, amount_cents, currency, intake_type
    from orchestrator.payment_profile
    where emr_patient_id = ${emrPatientId}
  `;
  return profile;
}

/** Keeps the profile of a patient, unless one saved later is there already. */
export async function putPaymentProfile(
  sql: Queryable,
  emrPatientId: string,
  profile: PaymentProfile,
  savedAt = new Date(),
): Promise<void> {
  const row = { emrPatientId, ...profile, savedAt };
  await sql`
    insert into orchestrator.payment_profile
      ${sql(row, 'emrPatientId', 'customerId', 'paymentMethodId', 'couponId', 'amountCents', 'currency', 'intakeType', 'savedAt')}
    on conflict (emr_patient_id) do update set
      customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id,
      coupon_id = excluded.coupon_id, amount_cents = excluded.amount_cents, currency = excluded.currency,
      intake_type = excluded.intake_type, saved_at = excluded.saved_at, updated_at = now()
    where payment_profile.saved_at is null or payment_profile.saved_at <= excluded.saved_at
  `;
}

/**
 * Keeps the profile that came with an intake (D86): where there is one already only if the intake's mailbox was proved,
 * and then in the place of every one whose mailbox was not, and of every earlier one. The order in which they arrive
 * makes no difference to that.
 * @returns `replacedPaymentMethodId`: the other card whose place it took, the same for the same profile again; null for
 *   the first card of a patient; undefined when the profile was not taken
 */
export async function takeIntakeProfile(
  sql: Queryable,
  emrPatientId: string,
  profile: PaymentProfile,
  { savedAt, emailProven }: { savedAt: Date; emailProven: boolean },
): Promise<{ replacedPaymentMethodId: string | null } | undefined> {
  const row = { emrPatientId, ...profile, savedAt, emailProven };
  const [taken] = await sql<{ replacedPaymentMethodId: string | null }[]>`
    insert into orchestrator.payment_profile ${sql(
      row,
      'emrPatientId',
      'customerId',
      'paymentMethodId',
      'couponId',
      'amountCents',
      'currency',
      'intakeType',
      'savedAt',
      'emailProven',
    )}
    on conflict (emr_patient_id) do update set
      customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id,
      coupon_id = excluded.coupon_id, amount_cents = excluded.amount_cents, currency = excluded.currency,
      intake_type = excluded.intake_type, saved_at = excluded.saved_at, email_proven = true, updated_at = now(),
      replaced_payment_method_id = case
        when payment_profile.payment_method_id = excluded.payment_method_id then payment_profile.replaced_payment_method_id
        else payment_profile.payment_method_id
      end
    where excluded.email_proven
      and (not payment_profile.email_proven or payment_profile.saved_at is null or payment_profile.saved_at <= excluded.saved_at)
    returning replaced_payment_method_id
  `;
  return taken;
}

/** The card that a patient's charges go to from now on; what was agreed on prices stays (D107). */
export async function replaceCard(
  sql: Queryable,
  emrPatientId: string,
  { customerId, paymentMethodId }: Pick<PaymentProfile, 'customerId' | 'paymentMethodId'>,
): Promise<void> {
  const row = { emrPatientId, customerId, paymentMethodId, savedAt: new Date(), emailProven: true };
  await sql`
    insert into orchestrator.payment_profile ${sql(row, 'emrPatientId', 'customerId', 'paymentMethodId', 'savedAt', 'emailProven')}
    on conflict (emr_patient_id) do update set
      customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id, saved_at = excluded.saved_at,
      email_proven = true, updated_at = now()
  `;
}

export interface Payment {
  taskId: string;
  attempt: number;
  customerId: string | null;
  paymentMethodId: string | null;
  paymentIntentId: string | null;
  /** What was taken off; of a charge that failed for its coupon, what was to be. */
  couponId: string | null;
  amountCents: number;
  currency: string;
  status: 'pending' | 'succeeded' | 'failed';
  reason: string | null;
  /** By whose word the attempt was made; null where that was not told. */
  callId: string | null;
}

const columns = [
  'task_id',
  'attempt',
  'customer_id',
  'payment_method_id',
  'payment_intent_id',
  'coupon_id',
  'amount_cents',
  'currency',
  'status',
  'reason',
  'call_id',
] as const;

export async function findPayment(sql: Queryable, taskId: string): Promise<Payment | undefined> {
  const [payment] = await sql<Payment[]>`
    select ${sql(columns)}
    from orchestrator.payment
    where task_id = ${taskId}
  `;
  return payment;
}

/**
 * The payment of a task; of a schedule's task the newest refill's, whose references begin with it (D30): they are those
 * between `<task>-` and `<task>.`, which an index in the order of bytes finds.
 */
export async function findPaymentForTask(sql: Queryable, taskId: string): Promise<Payment | undefined> {
  const [payment] = await sql<Pick<Payment, 'taskId'>[]>`
    select task_id
    from orchestrator.payment
    where task_id = ${taskId} or (
      ${taskId} like 'refill-%'
      and task_id collate "C" > ${`${taskId}-`} and task_id collate "C" < ${`${taskId}.`}
    )
    order by created_at desc
    limit 1
  `;
  return payment && findPayment(sql, payment.taskId);
}

export type NewPayment = Pick<
  Payment,
  | 'taskId'
  | 'customerId'
  | 'paymentMethodId'
  | 'couponId'
  | 'amountCents'
  | 'currency'
  | 'status'
  | 'reason'
  | 'callId'
> & { emrPatientId: string; requestedBy: string | null };

/** `isFirst`: this call began the attempt, so nobody can have asked the processor for it before. */
export interface OpenedPayment {
  payment: Payment;
  isFirst: boolean;
}

/**
 * Fixes what a task is charged. The first call decides; later ones get what was decided. After a decline that was
 * answered the next deliberate call opens the next attempt, unless the task was cancelled meanwhile (D104); the same
 * call again does not.
 * @param isAgain a charge has failed before, so that there is something to settle in the same transaction
 */
export async function openPayment(sql: Sql, payment: NewPayment, isAgain: boolean): Promise<OpenedPayment> {
  if (!isAgain && payment.status === 'pending') return writeOpened(sql, payment);
  return sql.begin((sql) => openHeld(sql, payment));
}

/** With the payment held, since a cancellation that comes at the same time looks at it under the same lock. */
async function openHeld(sql: Queryable, payment: NewPayment): Promise<OpenedPayment> {
  await lockPayment(sql, payment.taskId);
  const opened = await writeOpened(sql, payment);
  if (payment.status === 'failed') await openRecovery(sql, payment.taskId);
  if (opened.payment.status === 'succeeded') await closeRecovery(sql, payment.taskId);
  return opened;
}

async function writeOpened(sql: Queryable, payment: NewPayment): Promise<OpenedPayment> {
  const row = { ...payment, paidAt: payment.status === 'succeeded' ? new Date() : null };
  const [written] = await sql<(Payment & { isFirst: boolean })[]>`
    with before as (select attempt from orchestrator.payment where task_id = ${payment.taskId})
    insert into orchestrator.payment ${sql(
      row,
      'taskId',
      'emrPatientId',
      'customerId',
      'paymentMethodId',
      'couponId',
      'amountCents',
      'currency',
      'status',
      'reason',
      'requestedBy',
      'paidAt',
      'callId',
    )}
    on conflict (task_id) do update set
      customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id,
      coupon_id = excluded.coupon_id, amount_cents = excluded.amount_cents, currency = excluded.currency,
      status = excluded.status, reason = excluded.reason, requested_by = excluded.requested_by, updated_at = now(),
      paid_at = excluded.paid_at, call_id = excluded.call_id,
      attempt = payment.attempt + (payment.payment_intent_id is not null)::int, payment_intent_id = null
    where payment.status = 'failed' and not exists (
      select from orchestrator.payment_recovery
      where reference = payment.task_id and state = 'cancelled'
    ) and not coalesce(payment.call_id = excluded.call_id and payment.payment_intent_id is not null, false)
    returning ${sql(columns)}, attempt > coalesce((select attempt from before), 0) as is_first
  `;
  const stored = written ?? (await findPayment(sql, payment.taskId));
  if (!stored) throw new Error('The payment row is not there after it was written');
  return { payment: stored, isFirst: written?.isFirst === true };
}

/**
 * As `openPayment`, redeeming a coupon in the same transaction (D87): what is counted is what is charged, also when two
 * charges want the last of it at once.
 * @param asPayment what is fixed, by what became of the coupon
 */
export async function openPaymentWithCoupon(
  sql: Sql,
  coupon: CouponTerms,
  charge: Pick<NewPayment, 'taskId' | 'emrPatientId'>,
  asPayment: (redemption: Redemption) => NewPayment,
): Promise<OpenedPayment> {
  return sql.begin(async (sql): Promise<OpenedPayment> => {
    await lockCoupon(sql, coupon.couponId);
    const opened = await openHeld(sql, asPayment(await redeemCoupon(sql, coupon, charge)));
    // Another call may have fixed the task's amount before, and without the coupon.
    await returnUnusedCoupon(sql, coupon.couponId, charge.emrPatientId);
    return opened;
  });
}

/** A redemption stands beside a charge that has not failed. The coupon must be locked, so that none comes in between. */
async function returnUnusedCoupon(sql: Queryable, couponId: string, emrPatientId: string): Promise<void> {
  const [charged] = await sql`
    select 1 from orchestrator.payment
    where emr_patient_id = ${emrPatientId} and coupon_id = ${couponId} and status <> 'failed'
    limit 1
  `;
  if (!charged) await returnCoupon(sql, { couponId, emrPatientId });
}

export interface SettledAttempt {
  taskId: string;
  attempt: number;
  status: 'succeeded' | 'failed';
  paymentIntentId: string | null;
  reason: string | null;
}

/**
 * Records what became of an attempt; an earlier attempt never overwrites a later one's state. The coupon of a charge
 * that failed goes back in the same transaction: for this patient's next attempt, or to whoever is first. What follows
 * from it for getting the task paid is settled there too (D107).
 */
export async function settlePayment(sql: Sql, outcome: SettledAttempt): Promise<void> {
  const { status } = outcome;
  // Nearly every charge succeeds at its first try: one statement, on the way of an approval.
  if (status === 'succeeded' && (await writeSettled(sql, outcome, { isRecovered: false }))) return;
  await sql.begin((sql) => settleHeld(sql, outcome));
}

/** The same in a transaction of the caller's. */
export async function settleHeld(sql: Queryable, outcome: SettledAttempt): Promise<void> {
  const { taskId, status } = outcome;
  const [charge] = await sql<{ couponId: string | null; emrPatientId: string }[]>`
    select coupon_id, emr_patient_id from orchestrator.payment where task_id = ${taskId}
  `;
  const { couponId = null, emrPatientId = '' } = charge ?? {};
  const takenOff = status === 'failed' ? couponId : null;
  // The coupon before the payment, as everybody: the other way round two could wait for each other.
  if (takenOff !== null) await lockCoupon(sql, takenOff);
  const isWritten = await writeSettled(sql, outcome);
  if (takenOff !== null) await returnUnusedCoupon(sql, takenOff, emrPatientId);
  if (isWritten) await (status === 'failed' ? openRecovery(sql, taskId) : closeRecovery(sql, taskId));
}

/** @returns whether the attempt is the present one, and was not paid before */
async function writeSettled(
  sql: Queryable,
  outcome: SettledAttempt,
  only?: { isRecovered: false },
): Promise<boolean> {
  const { taskId, attempt, status, paymentIntentId, reason } = outcome;
  const { count } = await sql`
    update orchestrator.payment set
      status = ${status}, payment_intent_id = ${paymentIntentId}, reason = ${reason}, updated_at = now(),
      paid_at = case when ${status} = 'succeeded' then now() end
    where task_id = ${taskId} and attempt = ${attempt} and status <> 'succeeded'
      ${only ? sql`and not exists (select from orchestrator.payment_recovery where reference = task_id)` : sql``}
  `;
  return count > 0;
}

/** Holds the payment of a task until the transaction ends; nothing where there is none yet. */
async function lockPayment(sql: Queryable, taskId: string): Promise<void> {
  await sql`select from orchestrator.payment where task_id = ${taskId} for update`;
}
