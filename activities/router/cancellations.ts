import type { Sql } from '../../db/client.js';
import { findPendingCancellation, reportUnanswered } from '../../db/router/cancellations.js';
import { type CancelAnswered, recordCancelAnswer } from '../../db/router/order-progress.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import type { CancelAnswer } from '../../integrations/pharmacies/adapter.js';
import type { Pharmacies } from '../../integrations/pharmacies/registry.js';
import { callLimits } from '../call-limits.js';
import { calling } from '../failures.js';

export interface CancellationDependencies {
  sql: Sql;
  pharmacies: Pharmacies;
  /** A pharmacy is asked for so long before a person is (`PHARMACY_CANCEL_HOURS`). */
  askForMs: number;
}

/** What is awaited of a pharmacy. */
export interface AwaitedCancellation {
  number: number;
  pharmacy: Pharmacy;
  /** The pharmacy has reported so since it was asked for. */
  shippedMeanwhile: boolean;
  /** Epoch milliseconds: from then on a person is asked too. */
  askUntil: number;
}

/** `placing`: the order itself is still under way; `settled`: nothing is awaited any more. */
export type CancelAttempt =
  | CancelAnswer
  | { state: 'placing' | 'settled' }
  /** Nobody knows whether there is an order: it has to be asked for first, as of this request (D21). */
  | { state: 'unknown'; claimId: string };

export const createCancellationActivities = (deps: CancellationDependencies) => {
  const { sql, pharmacies, askForMs } = deps;

  return {
    /**
     * What a submission's cancellation still waits for; null once it is settled.
     *
     * Safe to retry: only reads.
     */
    async readCancellation({ submissionId }: { submissionId: string }): Promise<AwaitedCancellation | null> {
      const pending = await findPendingCancellation(sql, submissionId);
      if (!pending) return null;
      const { number, pharmacy, shippedMeanwhile, requestedAt } = pending;
      return { number, pharmacy, shippedMeanwhile, askUntil: requestedAt.getTime() + askForMs };
    },

    /**
     * Asks the pharmacy once to cancel the order (D101).
     * @throws Unavailable when it gave no answer to go by
     *
     * Safe to retry: every call for one request carries the same idempotency key.
     */
    async cancelOrder(asked: { submissionId: string; number: number }): Promise<CancelAttempt> {
      const { submissionId, number } = asked;
      const pending = await findPendingCancellation(sql, submissionId);
      if (pending?.number !== number) return { state: 'settled' };
      const { pharmacy, pharmacyOrderId, requestReason, isTest: test } = pending;
      if (pending.outcome === 'unanswered') return { state: 'unknown', claimId: pending.claimId };
      // Rejected after all.
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

    /**
     * Records what the pharmacy said, and with an approval that the order is cancelled.
     *
     * Safe to retry: the first time settles the request, and a repeat finds it settled.
     */
    async recordCancellation(answered: CancelAnswered): Promise<void> {
      await recordCancelAnswer(sql, answered);
    },

    /**
     * Opens the work item of a cancellation that its pharmacy does not answer.
     *
     * Safe to retry: one that is open stays as it is.
     */
    async reportCancellation(unanswered: {
      submissionId: string;
      number: number;
      workflowId: string;
    }): Promise<void> {
      await reportUnanswered(sql, unanswered);
    },
  };
};

export type CancellationActivities = ReturnType<typeof createCancellationActivities>;
