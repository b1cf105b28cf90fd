import { ApplicationFailure } from '@temporalio/common';
import { judgeRedemption } from '../../db/coupon-redemptions.js';
import type { Sql } from '../../db/client.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { findLiveReference } from '../../db/orchestrator/order-references.js';
import { findPaymentProfile } from '../../db/orchestrator/payment-profiles.js';
import type { Today } from '../../db/orchestrator/clock.js';
import { findPaidPayment } from '../../db/orchestrator/payments.js';
import { findSchedule } from '../../db/orchestrator/refill-schedules.js';
import { findOrderChargedAgain } from '../../db/orchestrator/shipped-after-cancel.js';
import type { CalendarDay } from '../../domain/calendar.js';
import { failureTypes } from '../../domain/failures.js';
import { ownTaskId } from '../../domain/clients.js';
import { amountText } from '../../domain/orchestrator/dunning.js';
import { chargeableCents, discountedCents, fullPriceCents } from '../../domain/orchestrator/pricing.js';
import { refillReference } from '../../domain/orchestrator/refills.js';
import { pharmacyTitle } from '../../domain/pharmacies.js';
import type { OrderClient } from '../../integrations/router/orders.js';
import { isCouponOf, type PaymentClient } from '../../integrations/stripe/client.js';
import { businessDay } from '../../platform/business-day.js';
import { calling, callLimits } from '../calls.js';

interface Dependencies {
  sql: Sql;
  orders: OrderClient;
  payments: PaymentClient;
  timeZone: string;
  today: Today;
}

/** A message to a patient about a charge, with the variables of the template. */
export interface ChargeNotice {
  emrPatientId: string;
  variables: Record<string, string>;
}

/** One of several calls of an activity. */
const limits = () => ({ ...callLimits(), timeoutMs: 3_500 });

/** Reads what notices of charges say, made ones and coming ones (D121). All methods throw Unavailable. */
export const createChargeNotices = ({ sql, orders, payments, timeZone, today }: Dependencies) => {
  return {
    /** The receipt of a charge; undefined if nothing was paid. */
    async readReceipt(reference: string): Promise<ChargeNotice | undefined> {
      const payment = await findPaidPayment(sql, reference);
      if (!payment || payment.amountCents === 0) return undefined;
      const { emrPatientId, amountCents, currency, paidAt } = payment;
      const amount = amountText(amountCents, currency);
      const again = await findOrderChargedAgain(sql, reference);
      const placed = again ?? (await findLiveReference(sql, reference));
      const items = await itemsOf(placed?.reference ?? reference, businessDay(timeZone, paidAt));
      const orderNumber = ownTaskId(again?.reference ?? reference);
      return { emrPatientId, variables: { amount, orderNumber, ...items } };
    },

    /** The notice of a schedule's n-th refill; undefined if that refill is not its next one any more. */
    async readRefillNotice(refill: { scheduleId: string; n: number }): Promise<ChargeNotice | undefined> {
      const { scheduleId, n } = refill;
      const schedule = await findSchedule(sql, scheduleId);
      if (schedule?.status !== 'active' || schedule.refillsSent !== n - 1) return undefined;
      const { emrPatientId, medication, nextFillDate } = schedule;
      const config = await findMedicationConfig(sql, medication);
      if (!config || nextFillDate <= (await today())) return undefined;
      const taskId = refillReference(scheduleId, n);
      const amount = await amountDue({ taskId, emrPatientId, medication, listPriceCents: config.priceCents });
      return { emrPatientId, variables: { plan: config.displayName, amount, renewalDate: nextFillDate } };
    },
  };

  /** The lines that an HSA or FSA asks for; empty if the router has no order. */
  async function itemsOf(reference: string, date: CalendarDay): Promise<{ items?: string }> {
    const order = await calling(() => orders.findOrder(reference, limits()));
    if (!order) return {};
    const { medication, prescriber } = await calling(() =>
      orders.readPrescription(order.submissionId, limits()),
    );
    const { key = medication.name, quantity, daysSupply } = medication;
    const config = await findMedicationConfig(sql, key);
    const lines = [
      `Medication: ${config?.displayName ?? medication.name}`,
      `Quantity: ${[quantity, config?.unit].join(' ').trim()}`,
      `Days of supply: ${daysSupply}`,
      `Prescriber: ${prescriber.firstName} ${prescriber.lastName}`,
      `Pharmacy: ${pharmacyTitle(order.pharmacy)}`,
      `Date: ${date}`,
    ];
    return { items: lines.join('\n') };
  }

  /**
   * The amount that a charge would take now, as text. Without a card, or with a coupon that has ended, it is the full
   * price.
   */
  async function amountDue(charge: {
    taskId: string;
    emrPatientId: string;
    medication: string;
    listPriceCents: number;
  }): Promise<string> {
    const { listPriceCents, ...task } = charge;
    const profile = await findPaymentProfile(sql, task.emrPatientId);
    if (!profile) return dueText(listPriceCents, 'usd');
    const { couponId, currency } = profile;
    const fullCents = fullPriceCents(profile, charge);
    const coupon = couponId === null ? undefined : await findCoupon(couponId);
    if (couponId === null || !coupon || !isCouponOf(currency, coupon)) return dueText(fullCents, currency);
    const terms = { couponId, ...coupon, redemptionsLeft: coupon.redemptionsLeft ?? null };
    const redemption = await judgeRedemption(sql, terms, task);
    const isTakenOff = redemption === 'free' || redemption === 'redeemed';
    return dueText(isTakenOff ? discountedCents(fullCents, coupon) : fullCents, currency);
  }

  /** @returns undefined for a code that the processor does not know or rejects */
  async function findCoupon(couponId: string) {
    try {
      return await calling(() => payments.findCoupon(couponId, limits().timeoutMs));
    } catch (error) {
      if (error instanceof ApplicationFailure && error.type === failureTypes.rejected) return undefined;
      throw error;
    }
  }
};

/** The part of a price that would be charged (D154). */
const dueText = (priceCents: number, currency: string): string =>
  amountText(chargeableCents(priceCents), currency);

export type ChargeNotices = ReturnType<typeof createChargeNotices>;
