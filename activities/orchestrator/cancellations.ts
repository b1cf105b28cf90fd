import { ApplicationFailure } from '@temporalio/common';
import type { Sql } from '../../db/client.js';
import {
  cancelTask,
  endCancellation,
  findOrderAtEnd,
  openCancellation,
  type OrderAtEnd,
} from '../../db/orchestrator/cancellations.js';
import type { BusinessDay } from '../../db/orchestrator/clock.js';
import { cancelTaskOfPharmacy } from '../../db/orchestrator/pharmacy-cancellations.js';
import { failureTypes } from '../../domain/failures.js';
import { type CancellationRequest, cancelledText } from '../../domain/orchestrator/cancellation.js';
import type { CancelledOrder } from '../../domain/orchestrator/shipments.js';
import type { CancelAnswer, OrderClient } from '../../integrations/router/orders.js';
import { calling, callLimits, permanentFailure } from '../calls.js';

/** Another run holds the task, so the activity is retried within seconds. */
export const notYet = (message: string): ApplicationFailure =>
  ApplicationFailure.create({ type: failureTypes.unavailable, message });

export const createCancellationActivities = ({
  sql,
  router,
  day,
}: {
  sql: Sql;
  router: OrderClient;
  day: () => Promise<BusinessDay>;
}) => ({
  /**
   * Claims the task for its cancellation run (D104). Safe to retry: the same request claims once.
   * @returns the workflow id of the task's open run, if any; undefined if the task is cancelled already
   * @throws NotFound; TaskConflict for a denied task; Unavailable while its order is being rerouted
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
   * Finds the order that the task's runs left behind. Safe to retry: it only reads.
   * @throws Unavailable while a run is open
   */
  async findOrderAtEnd({ taskId }: { taskId: string }): Promise<Exclude<OrderAtEnd, { state: 'running' }>> {
    const order = await findOrderAtEnd(sql, taskId, cancelledText);
    if (order.state === 'running') throw notYet('The run of the task is under way');
    return order;
  },

  /**
   * Asks the router to cancel an order (D101). Safe to retry: a repeat joins the router's run, and an approval stays.
   * @param order with `deniedAt`, asks only if the pharmacy has the order under another id than that one
   * @returns the answer so far, which may be pending, and the pharmacy's id of the order
   */
  async cancelOrder(order: {
    reference: string;
    reason: string;
    deniedAt?: string | null | undefined;
  }): Promise<CancelAnswer & { pharmacyOrderId?: string | null }> {
    const { reference, reason, deniedAt } = order;
    return calling(async () => {
      const found = await router.findOrder(reference, callLimits());
      if (!found) return { state: 'none' as const };
      const { submissionId, pharmacyOrderId } = found;
      const answer =
        pharmacyOrderId === deniedAt
          ? await router.readCancellation(submissionId, callLimits())
          : await router.cancel(submissionId, reason, callLimits());
      return { ...answer, pharmacyOrderId };
    });
  },

  /** Reads the state of a cancellation request. Safe to retry: it only reads. */
  async readOrderCancellation({ submissionId }: { submissionId: string }): Promise<CancelAnswer> {
    return calling(() => router.readCancellation(submissionId, callLimits()));
  },

  /**
   * Asks the router whether the pharmacy has an order that it does not know by its id (D138). Safe to retry: a repeat
   * joins the look.
   * @returns null during the look
   */
  async lookForOrder({ submissionId }: { submissionId: string }): Promise<{ found: boolean | null }> {
    return calling(async () => ({ found: await router.lookForOrder(submissionId, callLimits()) }));
  },

  /** Cancels the task and its dependent records. Safe to retry: a cancelled task stays as it is. */
  async recordCancelled(cancelled: { taskId: string; submissionId: string | null }): Promise<void> {
    await cancelTask(sql, { ...cancelled, day: await day() });
  },

  /** Records that the pharmacy denied the cancellation. Safe to retry: a request is answered once. */
  recordDenied: ({ taskId, reason }: { taskId: string; reason: string }) =>
    endCancellation(sql, taskId, reason),

  /** Drops a request that has no order to cancel. Safe to retry: the task is released once. */
  forgetCancellation: ({ taskId }: { taskId: string }) => endCancellation(sql, taskId, null),

  /**
   * Cancels the task of an order that its pharmacy cancelled, unless a reroute cancelled that order before. Safe to
   * retry: a cancelled task stays as it is.
   * @returns whether this call or an earlier attempt cancelled it
   * @throws Unavailable while a run of the task or a reroute is open
   */
  async recordPharmacyCancelled(order: CancelledOrder): Promise<{ isCancelled: boolean }> {
    const state = await cancelTaskOfPharmacy(sql, order, await day());
    if (state === 'busy') throw notYet('A run of the task is under way');
    return { isCancelled: state === 'cancelled' };
  },
});

export type CancellationActivities = ReturnType<typeof createCancellationActivities>;
