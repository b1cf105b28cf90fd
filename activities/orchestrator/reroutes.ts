import type { Sql } from '../../db/client.js';
import {
  endReroute,
  type MovedOrder,
  moveReference,
  type MovedRun,
  openReroute,
  recordMoved,
  recordNotTaken,
} from '../../db/orchestrator/reroutes.js';
import type { OrderReference } from '../../db/orchestrator/order-references.js';
import { failureTypes } from '../../domain/failures.js';
import type { RerouteRequest } from '../../domain/orchestrator/reroute.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import type { RouterClient } from '../../integrations/router/client.js';
import type { OrderClient } from '../../integrations/router/orders.js';
import { callLimits } from '../call-limits.js';
import { calling, permanentFailure } from '../failures.js';
import { notYet } from './cancellations.js';
import type { PharmacyOrder } from './pharmacy.js';

/** How a task stands that is held for its order to be moved. */
export interface HeldTask {
  run: MovedRun;
  /** All under which an order of it went to the router, the newest first. */
  references: string[];
  live: OrderReference | null;
}

/** What the new pharmacy said; `unknown`: nobody knows whether it has the order, and the router finds out (D114). */
export type PlacedAgain = { placed: PharmacyOrder } | { refusal: string } | { unknown: true };

export interface RerouteDependencies {
  sql: Sql;
  router: RouterClient;
  orders: OrderClient;
}

export const createRerouteActivities = ({ sql, router, orders }: RerouteDependencies) => ({
  /**
   * Takes the task for the run that moves its order (D105).
   * @throws NotFound; TaskConflict for a task that was denied or cancelled, or has never had an order; Unavailable while
   * another run is at it
   *
   * Safe to retry: the same request holds the task once.
   */
  async openReroute(request: RerouteRequest): Promise<HeldTask> {
    const opened = await openReroute(sql, request);
    switch (opened.state) {
      case 'open': {
        const { run, references, live } = opened;
        return { run, references, live };
      }
      case 'busy':
        throw notYet('A run of the task is under way');
      case 'refused':
        throw permanentFailure(failureTypes.taskConflict, opened.why);
      case 'unknown':
        throw permanentFailure(failureTypes.notFound, 'Task not found');
    }
  },

  /**
   * Looks at the order before anything is done to it: whether it is at that pharmacy already, and whether it can be filled
   * there. @returns the submission whose prescription is ordered again, or why not
   * @throws TaskConflict when the router has never had it
   *
   * Safe to retry: it only reads.
   */
  async checkReroute(wanted: {
    references: string[];
    live: string | null;
    pharmacy: Pharmacy;
  }): Promise<{ source: string } | { refusal: string }> {
    const { references, live, pharmacy } = wanted;
    return calling(async () => {
      for (const reference of references) {
        const order = await orders.findOrder(reference, callLimits());
        if (!order) continue;
        if (reference === live && order.status !== 'failed' && order.pharmacy === pharmacy)
          return { refusal: `The order is at ${pharmacy} already` };
        if (!(await orders.canFill(order.submissionId, pharmacy, callLimits())))
          return { refusal: `${pharmacy} cannot fill this prescription` };
        return { source: order.submissionId };
      }
      throw permanentFailure(failureTypes.taskConflict, 'There is no order to move');
    });
  },

  /**
   * Gives up the reference of the order that was given back, and takes the next.
   *
   * Safe to retry: once the next is taken it is the one that is live.
   */
  async moveReference(move: Parameters<typeof moveReference>[1]): Promise<{ reference: string }> {
    return { reference: await moveReference(sql, move) };
  },

  /**
   * Orders the same prescription at another pharmacy: what is handed over is what the first was given.
   *
   * Safe to retry: the router knows an order by its reference, and answers a repeat with the first answer (D21).
   */
  async placeAgain(order: { source: string; reference: string; pharmacy: Pharmacy }): Promise<PlacedAgain> {
    const { source, reference, pharmacy } = order;
    return calling(async () => {
      const prescription = await orders.readPrescription(source, callLimits());
      const answer = await router.submit(
        {
          ...prescription,
          sourceOrderId: reference,
          routing: { ...prescription.routing, preferredPharmacy: pharmacy },
        },
        callLimits(),
      );
      if (!('rejection' in answer)) return { placed: answer };
      return answer.unknownId === undefined ? { refusal: answer.rejection } : { unknown: true as const };
    });
  },

  /** The task goes on with its new order. Safe to retry: it writes the same again. */
  async recordMoved(order: MovedOrder): Promise<void> {
    await recordMoved(sql, order);
  },

  /** There is no order now. Safe to retry: it writes the same again. */
  async recordNotTaken(order: Parameters<typeof recordNotTaken>[1]): Promise<void> {
    await recordNotTaken(sql, order);
  },

  /** Lets others at the task again. Safe to retry. */
  async endReroute({ taskId }: { taskId: string }): Promise<void> {
    await endReroute(sql, taskId);
  },
});

export type RerouteActivities = ReturnType<typeof createRerouteActivities>;
