import { chargeSucceeded } from '../../domain/events.js';
import { declineCode, type NewEvent } from '../../domain/orchestrator/events.js';
import { idPart } from '../../platform/crypto/ids.js';
import type { Queryable, Sql } from '../client.js';
import {
  type CouponTerms,
  lockCoupon,
  type Redemption,
  redeemCoupon,
  returnCoupon,
} from '../coupon-redemptions.js';
import { publishEvent } from '../outbox.js';
import { closeDunning, openDunning } from './dunning.js';
import { insertEvents, recordEvent } from './events.js';
import { keepPaidCard } from './payment-profiles.js';
import { findPayment, type Payment, paymentColumns } from './payments.js';
import { publishRefundDue } from './refunds.js';
import { lockRefundLeft } from './shipped-after-cancel.js';
import { isCancelled } from './tasks.js';

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
> & {
  emrPatientId: string;
  requestedBy: string | null;
  /** When the patient handed the card in; null for the saved card (D160). */
  handedInAt: Date | null;
};

/** `isFirst`: this call opened the attempt, so no earlier request can have reached the processor. */
export interface OpenedPayment {
  payment: Payment;
  isFirst: boolean;
}

/**
 * Fixes what a task is charged; later calls return the first decision. After a recorded decline, a new call opens the
 * next attempt unless the task was cancelled (D104); a repeat of the same call does not.
 * @param isAgain a charge has failed before, so dunning changes in the same transaction
 */
export async function openPayment(sql: Sql, payment: NewPayment, isAgain: boolean): Promise<OpenedPayment> {
  if (!isAgain && payment.status === 'pending') return writeOpened(sql, payment);
  return sql.begin((sql) => openHeld(sql, payment));
}

/**
 * Opens the charge for an order that was sent although it was cancelled, over what other orders of its task have left of
 * the refund (D155).
 * @returns undefined when nothing is left
 */
export const openPaymentAgain = (sql: Sql, payment: NewPayment): Promise<OpenedPayment | undefined> =>
  sql.begin(async (sql) => {
    const leftCents = await lockRefundLeft(sql, payment.taskId);
    if (leftCents <= 0) return undefined;
    return openHeld(sql, { ...payment, amountCents: Math.min(payment.amountCents, leftCents) });
  });

/** Locks the payment, because a cancellation reads it under the same lock. */
async function openHeld(sql: Queryable, payment: NewPayment): Promise<OpenedPayment> {
  await lockPayment(sql, payment.taskId);
  const opened = await writeOpened(sql, payment);
  const { status } = opened.payment;
  if (status !== 'pending') await recordEvent(sql, paymentEvent({ ...opened.payment, status }));
  if (payment.status === 'failed') await openDunning(sql, payment.taskId);
  if (opened.payment.status === 'succeeded') await closeDunning(sql, payment.taskId);
  return opened;
}

async function writeOpened(sql: Queryable, payment: NewPayment): Promise<OpenedPayment> {
  const row = { ...payment, paidAt: payment.status === 'succeeded' ? new Date() : null };
  const [written] = await sql<(Payment & { isFirst: boolean })[]>`
    with before as (select attempt from orchestrator.payment where task_id = ${payment.taskId})
    insert into orchestrator.payment ${sql(row)}
    on conflict (task_id) do update set
      customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id,
      coupon_id = excluded.coupon_id, amount_cents = excluded.amount_cents, currency = excluded.currency,
      status = excluded.status, reason = excluded.reason, requested_by = excluded.requested_by, updated_at = now(),
      paid_at = excluded.paid_at, call_id = excluded.call_id, handed_in_at = excluded.handed_in_at,
      attempt = payment.attempt + (payment.payment_intent_id is not null)::int, payment_intent_id = null
    where payment.status = 'failed' and not exists (
      select from orchestrator.payment_recovery
      where reference = payment.task_id and state = 'cancelled'
    ) and not coalesce(payment.call_id = excluded.call_id, false)
    returning ${paymentColumns(sql)}, attempt > coalesce((select attempt from before), 0) as is_first
  `;
  const stored = written ?? (await findPayment(sql, payment.taskId));
  if (!stored) throw new Error('The payment row is not there after it was written');
  return { payment: stored, isFirst: written?.isFirst === true };
}

/**
 * Like {@link openPayment}, and redeems a coupon in the same transaction (D87). Only one of two concurrent charges
 * gets the last redemption.
 * @param asPayment the payment to store for each redemption result
 */
export const openPaymentWithCoupon = (
  sql: Sql,
  coupon: CouponTerms,
  charge: Pick<NewPayment, 'taskId' | 'emrPatientId'>,
  asPayment: (redemption: Redemption) => NewPayment,
): Promise<OpenedPayment> =>
  sql.begin(async (sql): Promise<OpenedPayment> => {
    await lockCoupon(sql, coupon.couponId);
    const opened = await openHeld(sql, asPayment(await redeemCoupon(sql, coupon, charge)));
    // Another call may have fixed the amount earlier, without the coupon.
    await returnUnusedCoupon(sql, coupon.couponId, charge.emrPatientId);
    return opened;
  });

/** Returns a redemption unless a charge that has not failed uses it. The caller holds the coupon's lock. */
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

/** The setting `RECEIPTS`: a success publishes the event that sends its receipt, in the same transaction (D121). */
export interface ReceiptSetting {
  receipts: boolean;
}

/**
 * Records the result of an attempt; the result of an earlier attempt is ignored. A failed charge returns its coupon
 * in the same transaction. Opens or closes the dunning (D107). A success saves the handed-in card (D160). A success of
 * a cancelled task is refunded (D153).
 */
export async function settlePayment(
  sql: Sql,
  outcome: SettledAttempt,
  setting: ReceiptSetting,
): Promise<void> {
  const isSimple = outcome.status === 'succeeded' && !setting.receipts;
  // Most charges succeed at once: a single statement keeps approvals fast.
  if (isSimple && (await writeSettled(sql, outcome, { isRecovered: false }))) return;
  await sql.begin((sql) => settleHeld(sql, outcome, setting));
}

/** Like {@link settlePayment}, in the caller's transaction. */
export async function settleHeld(
  sql: Queryable,
  outcome: SettledAttempt,
  { receipts }: ReceiptSetting,
): Promise<void> {
  const { taskId, attempt, status } = outcome;
  const [charge] = await sql<{ couponId: string | null; emrPatientId: string }[]>`
    select coupon_id, emr_patient_id from orchestrator.payment where task_id = ${taskId}
  `;
  const { couponId = null, emrPatientId = '' } = charge ?? {};
  const takenOff = status === 'failed' ? couponId : null;
  // Always lock the coupon before the payment, to prevent a deadlock.
  if (takenOff !== null) await lockCoupon(sql, takenOff);
  const isWritten = await writeSettled(sql, outcome);
  if (takenOff !== null) await returnUnusedCoupon(sql, takenOff, emrPatientId);
  if (!isWritten) return;
  if (status === 'failed') return openDunning(sql, taskId);
  await keepPaidCard(sql, taskId);
  await closeDunning(sql, taskId);
  if (await isCancelled(sql, taskId)) await publishRefundDue(sql, taskId);
  if (receipts)
    await publishEvent(sql, 'orchestrator', {
      detailType: chargeSucceeded,
      aggregateId: `receipt-${idPart(taskId)}`,
      detail: { reference: taskId, attempt },
    });
}

/** @returns true when the attempt is the current one and was not paid before */
async function writeSettled(
  sql: Queryable,
  outcome: SettledAttempt,
  only?: { isRecovered: false },
): Promise<boolean> {
  const { taskId, attempt, status, paymentIntentId, reason } = outcome;
  const { type, fact, data } = paymentEvent({
    taskId,
    attempt,
    status,
    reason,
    amountCents: 0,
    currency: '',
  });
  const [{ count }] = await sql<[{ count: number }]>`
    with settled as (
      update orchestrator.payment set
        status = ${status}, payment_intent_id = ${paymentIntentId}, reason = ${reason}, updated_at = now(),
        paid_at = case when ${status} = 'succeeded' then now() end
      where task_id = ${taskId} and attempt = ${attempt} and status <> 'succeeded'
        ${only ? sql`and not exists (select from orchestrator.payment_recovery where reference = task_id)` : sql``}
      returning amount_cents, currency
    ), recorded as (
      ${insertEvents(sql, [{ type, taskId, fact, data } as NewEvent], {
        data: sql`(select jsonb_build_object('amountCents', amount_cents, 'currency', currency) from settled)`,
      })}
    )
    select count(*)::int as count from settled
  `;
  return count > 0;
}

/** An attempt succeeds or fails once. */
function paymentEvent(
  payment: Pick<Payment, 'taskId' | 'attempt' | 'amountCents' | 'currency' | 'reason'> & {
    status: 'succeeded' | 'failed';
  },
) {
  const { taskId, attempt, status, reason, amountCents, currency } = payment;
  const about = { taskId, fact: `payment.${status} ${taskId} ${attempt}` };
  return status === 'succeeded'
    ? ({ type: 'payment.succeeded', ...about, data: { amountCents, currency } } as const)
    : ({
        type: 'payment.failed',
        ...about,
        data: { amountCents, currency, code: declineCode(reason) },
      } as const);
}

async function lockPayment(sql: Queryable, taskId: string): Promise<void> {
  await sql`select from orchestrator.payment where task_id = ${taskId} for update`;
}
