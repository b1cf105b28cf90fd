import type { Sql } from '../../db/client.js';
import { type NewShipment, openShipment } from '../../db/orchestrator/shipments.js';
import { isCancelled, recordProgress } from '../../db/orchestrator/tasks.js';
import { failureTypes } from '../../domain/failures.js';
import type { MedicationConfig } from '../../domain/orchestrator/medications.js';
import type {
  ChargeOutcome,
  ChargeRequest,
  Coupon,
  PaymentClient,
} from '../../integrations/stripe/client.js';
import { callLimits, triedBefore } from '../call-limits.js';
import { calling, refuse } from '../failures.js';
import { medicationConfigOf } from './medications.js';
import { type ChargeInput, type OpenedCharge, openCharge, taskCancelled } from './open-charge.js';

/** What only runs ask for that were begun so (workflows/orchestrator/earlier). */
export const createEarlierActivities = ({ sql, payments }: { sql: Sql; payments: PaymentClient }) => ({
  /** Fixes the amount. Safe to retry: the first call decides, later ones read what it decided, and are not the first. */
  async openCharge(input: ChargeInput): Promise<OpenedCharge> {
    return openCharge(sql, input);
  },

  /** What the processor says of the coupon that was agreed on. Safe to retry: it only reads. */
  async findCoupon({ couponId }: { couponId: string }): Promise<{ coupon: Coupon | null }> {
    return { coupon: (await calling(() => payments.findCoupon(couponId, callLimits().timeoutMs))) ?? null };
  },

  /**
   * Charges the saved card.
   * @returns the processor's verdict, a decline included
   * @throws Unavailable when it gave none; Rejected when the task was cancelled and nobody was asked
   *
   * Safe to retry: every attempt but the very first, that of an earlier run included, looks for the charge before
   * making it.
   */
  async chargeCard({ charge, isFirst }: { charge: ChargeRequest; isFirst: boolean }): Promise<ChargeOutcome> {
    const { timeoutMs } = callLimits();
    const mayCharge = !(await isCancelled(sql, charge.taskId));
    return calling(async () => {
      const isAsked = !isFirst || triedBefore();
      if (!isAsked && !mayCharge) throw taskCancelled();
      if (!isAsked) return payments.charge(charge, timeoutMs);
      const callTimeoutMs = timeoutMs / 2;
      const found = await payments.findCharge(charge.chargeKey, charge.customerId, callTimeoutMs);
      if (!found && !mayCharge) throw refuse(failureTypes.unavailable, 'The task was cancelled meanwhile');
      return found ?? (await payments.charge(charge, callTimeoutMs));
    });
  },

  /** Step 1, which shows at once that it is done. @throws NotFound. Safe to retry: it reads, and a step is shown once. */
  async loadMedicationConfig({
    medication,
    runId,
  }: {
    medication: string;
    runId: string;
  }): Promise<MedicationConfig> {
    const config = await medicationConfigOf(sql, medication);
    if (!config) throw refuse(failureTypes.notFound, `Unknown medication: ${medication}`);
    await recordProgress(sql, runId, ['medication_config']);
    return config;
  },

  /** Shows the steps done so far. Safe to retry: steps are only ever added. */
  async recordProgress({
    runId,
    completedSteps,
  }: {
    runId: string;
    completedSteps: string[];
  }): Promise<void> {
    await recordProgress(sql, runId, completedSteps);
  },

  /** Opens the shipment's record. Safe to retry: an order has one. */
  async recordShipment(shipment: NewShipment): Promise<void> {
    await openShipment(sql, shipment);
  },
});

export type EarlierActivities = ReturnType<typeof createEarlierActivities>;
