import { first, type Queryable } from '../client.js';

export interface Payment {
  taskId: string;
  attempt: number;
  customerId: string | null;
  paymentMethodId: string | null;
  paymentIntentId: string | null;
  /** The coupon taken off; after a charge failed because of its coupon, the one requested. */
  couponId: string | null;
  amountCents: number;
  currency: string;
  status: 'pending' | 'succeeded' | 'failed';
  reason: string | null;
  /** The call that opened the attempt; null when the caller sent no id. */
  callId: string | null;
}

export const paymentColumns = (sql: Queryable) => sql`
  task_id, attempt, customer_id, payment_method_id, payment_intent_id, coupon_id, amount_cents, currency,
  status, reason, call_id
`;

export const findPayment = (sql: Queryable, taskId: string) =>
  first(sql<Payment[]>`
    select ${paymentColumns(sql)}
    from orchestrator.payment
    where task_id = ${taskId}
  `);

/** A payment that succeeded, with its time and patient. */
export const findPaidPayment = (sql: Queryable, reference: string) =>
  first(sql<(Pick<Payment, 'amountCents' | 'currency'> & { emrPatientId: string; paidAt: Date })[]>`
    select emr_patient_id, amount_cents, currency, paid_at
    from orchestrator.payment
    where task_id = ${reference} and status = 'succeeded' and paid_at is not null
  `);

/**
 * The payment of a task. For the task of a refill schedule, its newest refill's (D30). Refill references sort between
 * `<task>-` and `<task>.` in byte order, so an index finds them.
 */
export async function findPaymentForTask(sql: Queryable, taskId: string): Promise<Payment | undefined> {
  const [payment] = await sql<Pick<Payment, 'taskId'>[]>`
    select task_id
    from orchestrator.payment
    where task_id = ${taskId} or (
      ${taskId} like 'refill-%'
      and task_id collate "C" > ${`${taskId}-`} and task_id collate "C" < ${`${taskId}.`}
      -- a replacement's charge is its own
      and task_id not like '%~%'
    )
    order by created_at desc
    limit 1
  `;
  return payment && findPayment(sql, payment.taskId);
}

/** True if nobody is charged for it any more: a person waived the charge, or the task was cancelled (D107). */
export async function isChargingOver(sql: Queryable, reference: string): Promise<boolean> {
  const rows = await sql`
    select from orchestrator.payment_recovery where reference = ${reference} and state = 'cancelled'
  `;
  return rows.length > 0;
}

/** Reads the refunded part of a task's charge, in cents. */
export async function findRefundedCents(sql: Queryable, taskId: string): Promise<number> {
  const [payment] = await sql<{ refundedCents: number }[]>`
    select refunded_cents from orchestrator.payment where task_id = ${taskId}
  `;
  return payment?.refundedCents ?? 0;
}
