import { ApplicationFailure } from '@temporalio/common';
import type { Sql } from '../../db/client.js';
import {
  cancelTask,
  endCancellation,
  findOrderAtEnd,
  openCancellation,
  type OrderAtEnd,
} from '../../db/orchestrator/cancellations.js';
import { cancelTaskOfPharmacy } from '../../db/orchestrator/pharmacy-cancellations.js';
import { failureTypes } from '../../domain/failures.js';
import { type CancellationRequest, cancelledText } from '../../domain/orchestrator/cancellation.js';
import type { CancelledOrder } from '../../domain/orchestrator/shipments.js';
import type { CancelAnswer, OrderClient } from '../../integrations/router/orders.js';
import { businessDay } from '../../platform/business-day.js';
import { callLimits } from '../call-limits.js';
import { calling, permanentFailure } from '../failures.js';

/** Somebody else's run is at the task: asked again within seconds, it is this one's turn. */
export const notYet = (message: string): ApplicationFailure =>
  ApplicationFailure.create({ type: failureTypes.unavailable, message });

export interface CancellationDependencies {
  sql: Sql;
  router: OrderClient;
  timeZone: string;
}

export const createCancellationActivities = ({ sql, router, timeZone }: CancellationDependencies) => ({
  /**
   * Takes the task for the run that takes its order back (D104).
   * @returns the workflow id of the task's run that is under way, if any; undefined where it was cancelled before
   * @throws NotFound; TaskConflict for a task that was denied; Unavailable while its order is being moved
   *
   * Safe to retry: the same request is noted once.
   */
  async openCancellation(request: CancellationRequest): Promise<{
    task?: { runs: string | null; emrPatientId: string };
  }> {
    const opened = await openCancellation(sql, request);
    switch (opened.state) {
      case 'open':
        return { task: { runs: opened.runs, emrPatientId: opened.emrPatientId } };
      case 'approved':
        return {};
      case 'busy':
        throw notYet('The order is being moved to another pharmacy');
      case 'task_denied':
        throw permanentFailure(failureTypes.taskConflict, 'Task was denied');
      case 'unknown':
        throw permanentFailure(failureTypes.notFound, 'Task not found');
    }
  },

  /**
   * What the task's runs, once they have ended, have left of an order.
   * @throws Unavailable while a run is under way
   *
   * Safe to retry: it only reads.
   */
  async findOrderAtEnd({ taskId }: { taskId: string }): Promise<Exclude<OrderAtEnd, { state: 'running' }>> {
    const order = await findOrderAtEnd(sql, taskId, cancelledText);
    if (order.state === 'running') throw notYet('The run of the task is under way');
    return order;
  },

  /**
   * Asks the router to take an order back (D101). @returns its answer so far, which may be that the pharmacy has not answered
   *
   * Safe to retry: a repeat joins the router's own run; what was approved stays so.
   */
  async cancelOrder(order: { reference: string; reason: string }): Promise<CancelAnswer> {
    const { reference, reason } = order;
    return calling(async () => {
      const found = await router.findOrder(reference, callLimits());
      if (!found) return { state: 'none' as const };
      return router.cancel(found.submissionId, reason, callLimits());
    });
  },

  /** What has become of a request to take an order back. Safe to retry: it only reads. */
  async readOrderCancellation({ submissionId }: { submissionId: string }): Promise<CancelAnswer> {
    return calling(() => router.readCancellation(submissionId, callLimits()));
  },

  /** Cancels the task, and what hangs on it in our tables. Safe to retry: a cancelled task stays as it is. */
  async recordCancelled(cancelled: { taskId: string; submissionId: string | null }): Promise<void> {
    await cancelTask(sql, { ...cancelled, today: businessDay(timeZone) });
  },

  /** Writes that the pharmacy keeps the order. Safe to retry: a request is answered once. */
  async recordDenied({ taskId, reason }: { taskId: string; reason: string }): Promise<void> {
    await endCancellation(sql, taskId, reason);
  },

  /** Forgets a request for which there is nothing to take back. Safe to retry: the task is let go once. */
  async forgetCancellation({ taskId }: { taskId: string }): Promise<void> {
    await endCancellation(sql, taskId, null);
  },

  /**
   * A pharmacy has cancelled an order by itself: its task is cancelled, unless the order was given back before, at a
   * reroute. @returns whether it was cancelled by this, or by an earlier try of this
   * @throws Unavailable while a run of the task, or a reroute, is under way
   *
   * Safe to retry: a cancelled task stays as it is.
   */
  async recordPharmacyCancelled(order: CancelledOrder): Promise<{ isCancelled: boolean }> {
    const state = await cancelTaskOfPharmacy(sql, order, businessDay(timeZone));
    if (state === 'busy') throw notYet('A run of the task is under way');
    return { isCancelled: state === 'cancelled' };
  },
});

export type CancellationActivities = ReturnType<typeof createCancellationActivities>;
