import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '../../db/client.js';
import type { BusinessDay } from '../../db/orchestrator/clock.js';
import { judgeUnsent } from '../../db/orchestrator/refill-counts.js';
import {
  endReroute,
  type MovedOrder,
  moveReference,
  openReroute,
  recordMoved,
  recordNotTaken,
  recordPlaced,
} from '../../db/orchestrator/reroutes.js';
import { failureTypes } from '../../domain/failures.js';
import { erasedPrescriptionText, type ShipTo } from '../../domain/orchestrator/replacement.js';
import { otherStateText, type RerouteRequest } from '../../domain/orchestrator/reroute.js';
import { orderAddressOf } from '../../domain/orchestrator/shipments.js';
import type { OrderAddress } from '../../domain/orderable-patient.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import type { PrescriptionSubmission, RouterClient } from '../../integrations/router/client.js';
import type { OrderClient } from '../../integrations/router/orders.js';
import { calling, callLimits, permanentFailure } from '../calls.js';
import { notYet } from './cancellations.js';
import { orderAgain, type PlacedAgain } from './order-again.js';

export const createRerouteActivities = ({
  sql,
  router,
  orders,
  day,
}: {
  sql: Sql;
  router: RouterClient;
  orders: OrderClient;
  day: Day;
}) => ({
  /**
   * Claims the task for the run that reroutes its order (D105). Safe to retry: the same request claims once.
   * @throws NotFound; TaskConflict for a task that is denied, cancelled or without an order, or whose plan waits;
   * Unavailable while another run holds it
   */
  async openReroute(request: RerouteRequest) {
    const opened = await openReroute(sql, request, (await day()).today);
    switch (opened.state) {
      case 'open': {
        const { run, references, live, shipTo, isOtherAddress } = opened;
        return { run, references, live, shipTo, isOtherAddress };
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
   * Checks before any change that the order is elsewhere, or goes elsewhere, and that the pharmacy can fill it. Safe to
   * retry: it only reads.
   * @returns the submission with the prescription to order again, or why not
   * @throws TaskConflict when the router does not know the order
   */
  async checkReroute(wanted: {
    references: string[];
    live: string | null;
    pharmacy: Pharmacy;
    shipTo?: ShipTo | null;
  }): Promise<{ source: string } | { refusal: string }> {
    const { references, live, pharmacy, shipTo } = wanted;
    return calling(async () => {
      for (const reference of references) {
        const order = await orders.findOrder(reference, callLimits());
        if (!order) continue;
        const judged = shipTo && (await judgeAddress(orders, order.submissionId, orderAddressOf(shipTo)));
        if (judged && 'refusal' in judged) return judged;
        const isThere = reference === live && order.status !== 'failed' && order.pharmacy === pharmacy;
        if (isThere && !judged?.isOther) return { refusal: `The order is at ${pharmacy} already` };
        if (!(await orders.canFill(order.submissionId, pharmacy, callLimits())))
          return { refusal: `${pharmacy} cannot fill this prescription` };
        return { source: order.submissionId };
      }
      throw permanentFailure(failureTypes.taskConflict, 'There is no order to move');
    });
  },

  /** Replaces the reference of the cancelled order. Safe to retry: the next reference is taken once. */
  async moveReference(move: Parameters<typeof moveReference>[1]): Promise<{ reference: string }> {
    return { reference: await moveReference(sql, move) };
  },

  /**
   * Orders the same prescription again, unchanged but for the address. Safe to retry: the router answers a repeated
   * reference with its first answer (D21).
   */
  async placeAgain(order: {
    source: string;
    reference: string;
    pharmacy: Pharmacy;
    shipTo?: ShipTo | null;
  }): Promise<PlacedAgain> {
    return orderAgain({ router, orders }, order);
  },

  /** Records the new order of the task. Safe to retry: it writes the same again. */
  recordMoved: (order: MovedOrder) => recordMoved(sql, order),

  /** Records that the task has no order now. Safe to retry: it writes the same again. */
  recordNotTaken: (order: Parameters<typeof recordNotTaken>[1]) =>
    ending({ sql, day }, order.taskId, recordNotTaken(sql, order)),

  /** Records the first order of a refill at the pharmacy named for it. Safe to retry: it writes the same again. */
  recordPlaced: (order: Parameters<typeof recordPlaced>[1]) =>
    ending({ sql, day }, order.taskId, recordPlaced(sql, order)),

  /** Releases the task, and reopens its items if nothing was moved. Safe to retry: a released task stays so. */
  endReroute: (ended: Parameters<typeof endReroute>[1]) =>
    ending({ sql, day }, ended.taskId, endReroute(sql, ended)),
});

type Day = () => Promise<BusinessDay>;

/** After the end of a reroute the plan of a refill asks for what came meanwhile; a retry after a crash does both. */
async function ending<T>({ sql, day }: { sql: Sql; day: Day }, taskId: string, end: Promise<T>): Promise<T> {
  const ended = await end;
  const today = await day();
  await sql.begin((sql) => judgeUnsent(sql, taskId, today));
  return ended;
}

/** Compares an address with that of an order. */
async function judgeAddress(
  orders: OrderClient,
  submissionId: string,
  address: OrderAddress,
): Promise<{ isOther: boolean } | { refusal: string }> {
  const prescription = await orders.readPrescription(submissionId, callLimits());
  const { shipTo } = prescription as Partial<PrescriptionSubmission>;
  if (!shipTo) return { refusal: erasedPrescriptionText };
  if (shipTo.state.toUpperCase() !== address.state) return { refusal: otherStateText };
  return { isOther: !isDeepStrictEqual(orderAddressOf(shipTo), address) };
}

export type RerouteActivities = ReturnType<typeof createRerouteActivities>;
export type HeldTask = Awaited<ReturnType<RerouteActivities['openReroute']>>;
