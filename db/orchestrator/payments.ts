import type { Queryable } from '../client.js';

/** The card that a patient saved, and what was agreed with it (D37). */
export interface PaymentProfile {
  customerId: string;
  paymentMethodId: string;
  couponId: string | null;
  amountCents: number | null;
  currency: string;
}

export async function findPaymentProfile(
  sql: Queryable,
  emrPatientId: string,
): Promise<PaymentProfile | undefined> {
  const [profile] = await sql<PaymentProfile[]>`
    select customer_id, payment_method_id, coupon_id, amount_cents, currency
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
      ${sql(row, 'emrPatientId', 'customerId', 'paymentMethodId', 'couponId', 'amountCents', 'currency', 'savedAt')}
    on conflict (emr_patient_id) do update set
      customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id,
      coupon_id = excluded.coupon_id, amount_cents = excluded.amount_cents, currency = excluded.currency,
      saved_at = excluded.saved_at, updated_at = now()
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
      'savedAt',
      'emailProven',
    )}
    on conflict (emr_patient_id) do update set
      customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id,
      coupon_id = excluded.coupon_id, amount_cents = excluded.amount_cents, currency = excluded.currency,
      saved_at = excluded.saved_at, email_proven = true, updated_at = now(),
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

export interface Payment {
  taskId: string;
  attempt: number;
  customerId: string | null;
  paymentMethodId: string | null;
  paymentIntentId: string | null;
  couponId: string | null;
  amountCents: number;
  currency: string;
  status: 'pending' | 'succeeded' | 'failed';
  reason: string | null;
}

export async function findPayment(sql: Queryable, taskId: string): Promise<Payment | undefined> {
  const [payment] = await sql<Payment[]>`
    select task_id, attempt, customer_id, payment_method_id, payment_intent_id, coupon_id, amount_cents, currency,
      status, reason
    from orchestrator.payment
    where task_id = ${taskId}
  `;
  return payment;
}

/** The payment of a task; of a schedule's task the newest refill's, whose references begin with it (D30). */
export async function findPaymentForTask(sql: Queryable, taskId: string): Promise<Payment | undefined> {
  const [payment] = await sql<Pick<Payment, 'taskId'>[]>`
    select task_id
    from orchestrator.payment
    where task_id = ${taskId} or (${taskId} like 'refill-%' and starts_with(task_id, ${`${taskId}-`}))
    order by created_at desc
    limit 1
  `;
  return payment && findPayment(sql, payment.taskId);
}

/** Whether a coupon that counts once has already been taken off one of this patient's charges (D37). */
export async function couponWasUsed(
  sql: Queryable,
  options: { emrPatientId: string; couponId: string; exceptTaskId: string },
): Promise<boolean> {
  const rows = await sql`
    select 1
    from orchestrator.payment
    where emr_patient_id = ${options.emrPatientId} and coupon_id = ${options.couponId}
      and task_id <> ${options.exceptTaskId} and status in ('pending', 'succeeded')
    limit 1
  `;
  return rows.length > 0;
}

export type NewPayment = Pick<
  Payment,
  'taskId' | 'customerId' | 'paymentMethodId' | 'couponId' | 'amountCents' | 'currency' | 'status' | 'reason'
> & { emrPatientId: string };

/**
 * Fixes what a task is charged. The first call decides; later ones get what was decided. After a decline that was
 * answered the next deliberate call opens the next attempt.
 * @returns `isFirst`: this call began the attempt, so nobody can have asked the processor for it before
 */
export async function openPayment(
  sql: Queryable,
  payment: NewPayment,
): Promise<{ payment: Payment; isFirst: boolean }> {
  const [written] = await sql<{ isFirst: boolean }[]>`
    with before as (select attempt from orchestrator.payment where task_id = ${payment.taskId})
    insert into orchestrator.payment ${sql(
      payment,
      'taskId',
      'emrPatientId',
      'customerId',
      'paymentMethodId',
      'couponId',
      'amountCents',
      'currency',
      'status',
      'reason',
    )}
    on conflict (task_id) do update set
      customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id,
      coupon_id = excluded.coupon_id, amount_cents = excluded.amount_cents, currency = excluded.currency,
      status = excluded.status, reason = excluded.reason, updated_at = now(),
      attempt = payment.attempt + (payment.payment_intent_id is not null)::int, payment_intent_id = null
    where payment.status = 'failed'
    returning attempt > coalesce((select attempt from before), 0) as is_first
  `;
  const stored = await findPayment(sql, payment.taskId);
  if (!stored) throw new Error('The payment row is not there after it was written');
  return { payment: stored, isFirst: written?.isFirst === true };
}

/** Records what became of an attempt; an earlier attempt never overwrites a later one's state. */
export async function settlePayment(
  sql: Queryable,
  outcome: {
    taskId: string;
    attempt: number;
    status: 'succeeded' | 'failed';
    paymentIntentId: string | null;
    reason: string | null;
  },
): Promise<void> {
  await sql`
    update orchestrator.payment set
      status = ${outcome.status}, payment_intent_id = ${outcome.paymentIntentId}, reason = ${outcome.reason},
      updated_at = now()
    where task_id = ${outcome.taskId} and attempt = ${outcome.attempt} and status <> 'succeeded'
  `;
}
