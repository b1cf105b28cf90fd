import type { Sql } from '../../db/client.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { rejectReplacement } from '../../db/orchestrator/missing-orders.js';
import { findPayment } from '../../db/orchestrator/payments.js';
import {
  cancelReplacement,
  endReplacement,
  findReplacement,
  listUnshippedReplacements,
  recordNoReplacement,
  recordReplacementOrder,
} from '../../db/orchestrator/replacements.js';
import { failureTypes } from '../../domain/failures.js';
import { erasedPrescriptionText, type ReplacementEnd } from '../../domain/orchestrator/replacement.js';
import { type Addressee, addresseeOf } from '../../domain/orchestrator/shipments.js';
import type { RouterClient } from '../../integrations/router/client.js';
import type { OrderClient } from '../../integrations/router/orders.js';
import type { Recipient } from '../../integrations/shipping/client.js';
import { calling, callLimits, permanentFailure } from '../calls.js';
import { notYet } from './cancellations.js';
import { orderAgain, type PlacedAgain } from './order-again.js';
import type { PharmacyOrder } from './pharmacy.js';
import { recipientOf } from './shipments.js';

/** The input of a replacement's run. */
export interface Replacing {
  /** The task, or the reference of a refill, whose order is replaced. */
  heldBy: string;
  emrPatientId: string;
  pharmacy: string;
  /** The order, if it exists by now. */
  placed?: PharmacyOrder;
  /** Set if the patient pays. */
  priceCents?: number;
  requestedBy?: string;
}

interface Dependencies {
  sql: Sql;
  router: RouterClient;
  orders: OrderClient;
}

export const createReplacementActivities = ({ sql, router, orders }: Dependencies) => ({
  /**
   * Reads a claimed replacement (D120). Safe to retry: it only reads.
   * @returns how its run ended, if none is left to do
   * @throws NotFound
   */
  async openReplacement({
    reference,
  }: {
    reference: string;
  }): Promise<{ replacing: Replacing } | { end: ReplacementEnd }> {
    const replacement = await find(sql, reference);
    const { state, isRunning, submissionId, pharmacyOrderId, pharmacy, emrPatientId, heldBy } = replacement;
    if (!isRunning) {
      if (state !== 'rejected') return { end: { state: state === 'unknown' ? state : 'ordered' } };
      return { end: { state, error: `${pharmacy} rejected the order` } };
    }
    const { requestedBy, paidBy, medication } = replacement;
    const isOrdered = submissionId !== null && pharmacyOrderId !== null;
    const replacing: Replacing = { heldBy, emrPatientId, pharmacy };
    if (isOrdered) replacing.placed = { submissionId, pharmacy, pharmacyOrderId };
    if (requestedBy !== null) replacing.requestedBy = requestedBy;
    if (paidBy === 'patient') {
      const config = await findMedicationConfig(sql, medication);
      replacing.priceCents = config?.priceCents ?? (await findPayment(sql, heldBy))?.amountCents ?? 0;
    }
    return { replacing };
  },

  /**
   * Orders the prescription of the first order again, at the address of the replacement. Safe to retry: the router
   * answers a repeated reference with its first answer (D21).
   */
  async placeReplacement({ reference }: { reference: string }): Promise<PlacedAgain> {
    const { sourceSubmissionId: source, pharmacy, shipTo } = await find(sql, reference);
    return orderAgain({ router, orders }, { source, reference, pharmacy, shipTo });
  },

  /** Records the order. Safe to retry: it writes the same again. */
  recordReplacementOrder: (placed: PharmacyOrder & { reference: string }) =>
    recordReplacementOrder(sql, placed),

  /** Records that there is no order, or that nobody knows. Safe to retry: it writes the same again. */
  recordNoReplacement: (none: Parameters<typeof recordNoReplacement>[1]) =>
    none.state === 'rejected'
      ? rejectReplacement(sql, none.reference)
      : sql.begin((sql) => recordNoReplacement(sql, none)),

  /** Ends the run of a replacement. Safe to retry: it writes the same again. */
  endReplacement: ({ reference }: { reference: string }) => endReplacement(sql, reference),

  /** Reads to whom an order goes, by the prescription at the router. Safe to retry: it only reads. */
  async readAddressee({ submissionId }: { submissionId: string }): Promise<Addressee> {
    return readAddressee(orders, submissionId);
  },

  /** The same as the shipping service needs it. Safe to retry: it only reads. */
  async readRecipient({ submissionId }: { submissionId: string }): Promise<Recipient> {
    return recipientOf(await readAddressee(orders, submissionId));
  },

  /**
   * Lists the replacements of a task to cancel with it, and those cancelled whose charge may be owed back. Safe to
   * retry: it only reads.
   * @throws Unavailable while a run works on one, because its order and charge are not known yet
   */
  async findReplacements({ taskId }: { taskId: string }) {
    const replacements = await listUnshippedReplacements(sql, taskId);
    if (replacements.some(({ isRunning }) => isRunning)) throw notYet('A replacement is being ordered');
    return replacements.map(({ reference, state }) => ({ reference, isCancelled: state === 'cancelled' }));
  },

  /** Cancels a replacement with its task. Safe to retry: a cancelled one stays as it is. */
  async recordReplacementCancelled({ reference }: { reference: string }): Promise<void> {
    if ((await cancelReplacement(sql, { reference, withTask: true })) === 'busy')
      throw notYet('A replacement is being ordered');
  },
});

async function find(sql: Sql, reference: string) {
  const replacement = await findReplacement(sql, reference);
  if (!replacement) throw permanentFailure(failureTypes.notFound, 'Replacement not found');
  return replacement;
}

/** To whom an order goes, by the prescription at the router. */
const readAddressee = (orders: OrderClient, submissionId: string): Promise<Addressee> =>
  calling(async () => {
    const prescription = await orders.readPrescription(submissionId, callLimits());
    const { shipTo } = prescription as Partial<typeof prescription>;
    if (!shipTo) throw permanentFailure(failureTypes.notFound, erasedPrescriptionText);
    return addresseeOf(shipTo);
  });

export type ReplacementActivities = ReturnType<typeof createReplacementActivities>;
