import { first, type Queryable } from '../client.js';

/** What a task is charged, and how far that is. */
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

export const paymentColumns = [
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

export const findPayment = (sql: Queryable, taskId: string): Promise<Payment | undefined> =>
  first(sql<Payment[]>`
    select ${sql(paymentColumns)}
    from orchestrator.payment
    where task_id = ${taskId}
  `);

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
