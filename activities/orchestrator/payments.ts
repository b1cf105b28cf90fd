import { ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../../domain/failures.js';
import { neverReachedReason } from '../../domain/orchestrator/dunning.js';
import type { Sql } from '../../db/client.js';
import { type ReceiptSetting, settlePayment } from '../../db/orchestrator/payment-attempts.js';
import { isCancelled } from '../../db/orchestrator/tasks.js';
import type { ChargeOutcome, ChargeRequest, PaymentClient } from '../../integrations/stripe/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { calling, callLimits, once, permanentFailure } from '../calls.js';
import { type ChargeInput, openCharge, taskCancelled } from './open-charge.js';

/** Limit of one call. A charge with a lookup first gives half to each, so three attempts take about 12 s (D34). */
const callMs = 4_000;

/** Goes with an `Unavailable` failure when the charge may exist. */
export interface UnansweredCharge {
  attempt: number;
  charge: ChargeRequest;
}

interface Dependencies extends ReceiptSetting {
  sql: Sql;
  payments: PaymentClient;
}

export const createPaymentActivities = ({ sql, payments, receipts }: Dependencies) => ({
  /**
   * Step 5: fixes the amount, charges the saved card, records the result (D37). Safe to retry: only the call that
   * inserts the attempt's row charges without a lookup. Every other process, run or reset looks for the charge first,
   * since the processor forgets keys after a day. A settled charge is answered from the record, whatever became of
   * its task.
   * @throws Declined, recorded; Rejected, recorded, when the processor rejects the request or there is nothing to
   * charge; Unavailable with an {@link UnansweredCharge} without a result
   */
  async chargeSavedCard(task: ChargeTask): Promise<void> {
    const within = callsWithin(callLimits().timeoutMs);
    let opened = await openCharge(sql, task);
    if (opened.kind === 'coupon') {
      const { couponId } = opened;
      // While the coupon is unknown, nothing is charged: the patient must not pay more than agreed.
      const coupon = await once(() => payments.findCoupon(couponId, within(callMs))).catch(
        (error: unknown) => {
          if (isUnanswered(error, task.isLastTry)) return 'unanswered' as const;
          throw error;
        },
      );
      opened = await openCharge(sql, { ...task, coupon: coupon ?? null });
    }
    if (opened.kind === 'failed')
      throw opened.isDeclined
        ? declined(opened.reason)
        : permanentFailure(failureTypes.rejected, opened.reason);
    if (opened.kind !== 'charge') return;
    const { attempt, charge, isFirst } = opened;
    const { taskId } = task;
    const record = (verdict: ChargeOutcome) =>
      settlePayment(sql, { taskId, attempt, reason: null, ...verdict }, { receipts });
    const unanswered: UnansweredCharge = { attempt, charge };
    const outcome = await once(
      () =>
        ask(sql, payments, charge, isFirst, within).catch(async (error: unknown) => {
          const reason = rejectionOf(error);
          if (reason !== undefined) await record({ status: 'failed', paymentIntentId: null, reason });
          throw error;
        }),
      unanswered,
    );
    await record(outcome);
    if (outcome.status === 'failed') throw declined(outcome.reason);
  },
});

export type PaymentActivities = ReturnType<typeof createPaymentActivities>;

export const createLostChargeActivities = ({ sql, payments, receipts }: Dependencies) => ({
  /** Looks up a charge that got no response. Safe to retry: it only reads. */
  async findCharge({ charge }: { charge: ChargeRequest }): Promise<{ outcome?: ChargeOutcome }> {
    const outcome = await calling(() => lookUp(payments, charge, callLimits().timeoutMs));
    return outcome ? { outcome } : {};
  },

  /** Records the result of the charge. Safe to retry: a success is never taken back. */
  async recordPayment(input: { taskId: string; attempt: number; outcome: ChargeOutcome }): Promise<void> {
    const { taskId, attempt, outcome } = input;
    const reason = outcome.status === 'failed' ? outcome.reason : null;
    await settlePayment(sql, { taskId, attempt, ...outcome, reason }, { receipts });
  },
});

export type LostChargeActivities = ReturnType<typeof createLostChargeActivities>;

export type ChargeTask = Omit<ChargeInput, 'coupon'> & {
  callId: string;
  /** The run makes no further attempt if the processor does not respond. */
  isLastTry: boolean;
};

const declined = (reason: string) => permanentFailure(failureTypes.declined, `Card declined: ${reason}`);

/** The reason to record; undefined if the charge may exist. No bank was asked if the processor rejects our key. */
function rejectionOf(error: unknown): string | undefined {
  if (error instanceof ApplicationFailure && error.type === failureTypes.rejected) return error.message;
  if (!(error instanceof OutboundError) || !error.isFinal) return undefined;
  const { fault, message } = error;
  return fault.kind === 'status' && [401, 403].includes(fault.status) ? neverReachedReason : message;
}

/** The processor rejects the lookup, or has not responded to the last try. */
const isUnanswered = (error: unknown, isLastTry: boolean): boolean =>
  error instanceof ApplicationFailure &&
  (error.type === failureTypes.rejected || (error.type === failureTypes.unavailable && isLastTry));

/** @throws Rejected when the task was cancelled before any request; Unavailable when a request may be open */
async function ask(
  sql: Sql,
  payments: PaymentClient,
  charge: ChargeRequest,
  isFirst: boolean,
  within: (ms: number) => number,
): Promise<ChargeOutcome> {
  // The attempt is pending by now. Either this sees the cancellation, or the cancellation sees the attempt and waits
  // for its result (D104).
  const mayCharge = !(await isCancelled(sql, charge.taskId));
  if (isFirst) {
    if (!mayCharge) throw taskCancelled();
    return payments.charge(charge, within(callMs));
  }
  const found = await lookUp(payments, charge, within(callMs / 2));
  // An earlier request may still be open, so the run keeps looking for it.
  if (!found && !mayCharge)
    throw permanentFailure(failureTypes.unavailable, 'The task was cancelled meanwhile');
  return found ?? payments.charge(charge, within(callMs / 2));
}

/** A rejected lookup is no verdict about the charge, so it counts as unanswered (D37). @throws Unavailable */
async function lookUp(
  payments: PaymentClient,
  { chargeKey, customerId }: ChargeRequest,
  timeoutMs: number,
): Promise<ChargeOutcome | undefined> {
  try {
    return await payments.findCharge(chargeKey, customerId, timeoutMs);
  } catch (error) {
    if (!(error instanceof OutboundError) || !error.isFinal) throw error;
    throw ApplicationFailure.create({ type: failureTypes.unavailable, message: error.message });
  }
}

/** Limits calls so that all of them end within this time. */
function callsWithin(timeoutMs: number): (ms: number) => number {
  const endsAt = Date.now() + timeoutMs;
  return (ms) => Math.max(1, Math.min(ms, endsAt - Date.now()));
}
