import type { Sql } from '../../db/client.js';
import { findPendingCancellation, reportUnanswered } from '../../db/router/cancellations.js';
import { type CancelAnswered, recordCancelAnswer } from '../../db/router/order-progress.js';
import type { CancelAnswer } from '../../integrations/pharmacies/adapter.js';
import type { Pharmacies } from '../../integrations/pharmacies/registry.js';
import { calling, callLimits } from '../calls.js';

export interface CancellationDependencies {
  sql: Sql;
  pharmacies: Pharmacies;
  /** How long to ask the pharmacy before a work item opens (`PHARMACY_CANCEL_HOURS`). */
  askForMs: number;
}

/** `placing`: the order is not placed yet; `settled`: no answer is needed any more. */
export type CancelAttempt =
  | CancelAnswer
  | { state: 'placing' | 'settled' }
  /** The order may exist: reconcile this request first (D21, D138). */
  | { state: 'unknown'; claimId: string };

export const createCancellationActivities = (deps: CancellationDependencies) => {
  const { sql, pharmacies, askForMs } = deps;

  return {
    /** Reads the open cancellation of a submission; null once it is answered. Safe to retry: it only reads. */
    async readCancellation({ submissionId }: { submissionId: string }) {
      const pending = await findPendingCancellation(sql, submissionId);
      if (!pending) return null;
      const { number, pharmacy, shippedMeanwhile, requestedAt } = pending;
      return { number, pharmacy, shippedMeanwhile, askUntil: requestedAt.getTime() + askForMs };
    },

    /**
     * Asks the pharmacy once to cancel the order (D101). Safe to retry: every call for one request has the same
     * idempotency key.
     * @throws Unavailable without a usable response
     */
    async cancelOrder(asked: { submissionId: string; number: number }): Promise<CancelAttempt> {
      const { submissionId, number } = asked;
      const pending = await findPendingCancellation(sql, submissionId);
      if (pending?.number !== number) return { state: 'settled' };
      const { pharmacy, pharmacyOrderId, requestReason, isTest: test } = pending;
      if (pending.outcome === 'unanswered' || pending.outcome === 'missing')
        return { state: 'unknown', claimId: pending.claimId };
      // The pharmacy rejected the order in the end.
      if (pending.outcome === 'rejected') return { state: 'denied', reason: 'not_found' };
      if (pharmacyOrderId === null) return { state: 'placing' };
      return calling(() =>
        pharmacies[pharmacy].cancelOrder(pharmacyOrderId, requestReason, {
          idempotencyKey: `cancel:${submissionId}-${number}`,
          test,
          ...callLimits(),
        }),
      );
    },

    /** Records the pharmacy's answer; an approval cancels the order. Safe to retry: a request is answered once. */
    recordCancellation: (answered: CancelAnswered) => recordCancelAnswer(sql, answered),

    /** Opens a work item for an unanswered cancellation. Safe to retry: an open one stays as it is. */
    reportCancellation: (unanswered: Parameters<typeof reportUnanswered>[1]) =>
      reportUnanswered(sql, unanswered),
  };
};

export type CancellationActivities = ReturnType<typeof createCancellationActivities>;
/** A work item opens at `askUntil`, in epoch milliseconds. */
export type AwaitedCancellation = NonNullable<
  Awaited<ReturnType<CancellationActivities['readCancellation']>>
>;
