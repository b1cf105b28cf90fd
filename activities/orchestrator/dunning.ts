import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import {
  findDunning,
  giveUpDunning,
  recordDunningProgress,
  type Dunning,
} from '../../db/orchestrator/dunning.js';
import { findPaymentProfile, replaceCard } from '../../db/orchestrator/payment-profiles.js';
import type { Sql } from '../../db/client.js';
import type { PatientContact } from '../../domain/orderable-patient.js';
import {
  amountText,
  couponEndedReason,
  type HandedInCard,
  planOf,
  reasonText,
  type DunningPlan,
  type DunningState,
  type Remedy,
  remedyOf,
} from '../../domain/orchestrator/dunning.js';
import type { CardClient } from '../../integrations/stripe/cards.js';
import { businessDay } from '../../platform/business-day.js';
import { issuePaymentLink } from '../../platform/crypto/payment-link.js';
import { uuidV5 } from '../../platform/crypto/ids.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { asFailure } from '../failures.js';

/** What its run must know of a charge that has failed. Times are epoch milliseconds. */
export interface UnpaidCharge extends DunningPlan {
  state: DunningState;
  status: Dunning['status'];
  /** Of the last failure. */
  remedy: Remedy;
  hasCouponEnded: boolean;
  /** Another card is saved than the one that was declined. */
  hasOtherCard: boolean;
  newCardAt: number | null;
  retriesDone: number;
  messagesSent: number;
  attempt: number;
  emrPatientId: string;
  priceCents: number;
  /** What the patient reads. */
  amount: string;
  reason: string;
  /** `YYYY-MM-DD` */
  dueDate: string;
  paymentUrl: string;
}

interface Dependencies {
  sql: Sql;
  cards: CardClient;
  settings: {
    retryDays: readonly number[];
    recoveryDays: number;
    timeZone: string;
    /** Where patients reach the intake gateway. */
    publicUrl: string;
    linkSecret: string;
  };
}

export const createDunningActivities = ({ sql, cards, settings }: Dependencies) => ({
  /** How it stands with a charge that has failed; null where none has. Safe to retry: it only reads. */
  async readUnpaidCharge({ reference }: { reference: string }): Promise<UnpaidCharge | null> {
    const recovery = await findDunning(sql, reference);
    if (!recovery) return null;
    const { state, status, reason, retriesDone, messagesSent, attempt, emrPatientId } = recovery;
    const plan = planOf(recovery.openedAt.getTime(), settings);
    const medication =
      recovery.medication === null ? undefined : await findMedicationConfig(sql, recovery.medication);
    const token = await issuePaymentLink(settings.linkSecret, { reference, endsAt: plan.endsAt });
    const { savedPaymentMethodId: saved, paymentMethodId: declined } = recovery;
    return {
      ...plan,
      state,
      status,
      retriesDone,
      messagesSent,
      attempt,
      emrPatientId,
      remedy: remedyOf(reason),
      hasCouponEnded: reason === couponEndedReason,
      hasOtherCard: saved !== null && saved !== declined,
      newCardAt: recovery.newCardAt?.getTime() ?? null,
      priceCents: medication?.priceCents ?? recovery.amountCents,
      amount: amountText(recovery.amountCents, recovery.currency),
      reason: reasonText(reason),
      dueDate: businessDay(settings.timeZone, new Date(plan.endsAt)),
      paymentUrl: `${settings.publicUrl.replace(/\/$/, '')}/pay?token=${token}`,
    };
  },

  /** Notes what the run has done, and when it looks again. Safe to retry: a count never falls. */
  async noteUnpaidCharge(done: {
    reference: string;
    retriesDone?: number;
    messagesSent?: number;
    chargedCardAt?: number;
    nextAt?: number;
  }): Promise<void> {
    const { reference, chargedCardAt, nextAt, ...counts } = done;
    await recordDunningProgress(sql, reference, {
      ...counts,
      ...(chargedCardAt === undefined ? {} : { chargedCardAt: new Date(chargedCardAt) }),
      ...(nextAt === undefined ? {} : { nextAt: new Date(nextAt) }),
    });
  },

  /** Ends the recovery, with a work item. Safe to retry: one that has ended stays as it is. */
  async giveUpCharge({ reference }: { reference: string }): Promise<void> {
    await giveUpDunning(sql, reference);
  },

  /**
   * Saves the card that a patient hands in for what is owed, at the processor and then as the card of all their charges;
   * what was agreed on prices stays (D87).
   * @returns false when the bank refuses the card, or the authentication is not done
   * @throws Unavailable when the processor gave no answer
   *
   * Safe to retry: the card of a reference is attached once, and the same profile again changes nothing.
   */
  async saveHandedInCard(input: {
    reference: string;
    emrPatientId: string;
    contact: PatientContact;
    card: HandedInCard;
  }): Promise<boolean> {
    const { reference, emrPatientId, contact, card } = input;
    const { setupIntentId } = card;
    const profile = await findPaymentProfile(sql, emrPatientId);
    try {
      const setup = setupIntentId === undefined ? undefined : await cards.findSetup(setupIntentId);
      // What the bank has seen goes before what the browser calls it.
      const checked = setup?.isDone === true ? setup.paymentMethodId : undefined;
      const paymentMethodId = checked ?? card.paymentMethodId;
      if (paymentMethodId === undefined) return false;
      const saved = await cards.saveCard(
        {
          reference: uuidV5('payer', reference),
          name: contact.name,
          email: contact.email ?? '',
          customerId: profile?.customerId ?? null,
        },
        { paymentMethodId, setupIntentId },
      );
      await replaceCard(sql, emrPatientId, { customerId: saved.customerId, paymentMethodId: saved.cardId });
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw asFailure(error);
    }
  },
});

export type DunningActivities = ReturnType<typeof createDunningActivities>;

/** The bank's no to a card, or one that there is not, or that is somebody else's. */
const isRefusal = (error: unknown): boolean =>
  error instanceof OutboundError &&
  error.fault.kind === 'status' &&
  [400, 402, 404].includes(error.fault.status);
