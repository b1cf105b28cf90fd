import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { findDunning, giveUpDunning, recordDunningProgress } from '../../db/orchestrator/dunning.js';
import { findPaymentProfile, replaceCard } from '../../db/orchestrator/payment-profiles.js';
import type { Sql } from '../../db/client.js';
import type { PatientContact } from '../../domain/orderable-patient.js';
import {
  amountText,
  couponEndedReason,
  type HandedInCard,
  planOf,
  reasonText,
  remedyOf,
} from '../../domain/orchestrator/dunning.js';
import type { CardClient } from '../../integrations/stripe/cards.js';
import { businessDay } from '../../platform/business-day.js';
import { issuePaymentLink } from '../../platform/crypto/payment-link.js';
import { uuidV5 } from '../../platform/crypto/ids.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { asFailure } from '../calls.js';

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
  /** Reads a failed charge; null without one. Safe to retry: it only reads. */
  async readUnpaidCharge({ reference }: { reference: string }) {
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
      hasLeft: recovery.departure !== null,
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

  /** Records the run's progress and its next check. Safe to retry: a count never falls. */
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

  /** Ends dunning with a work item. Safe to retry: an ended one stays as it is. */
  giveUpCharge: ({ reference }: { reference: string }) => giveUpDunning(sql, reference),

  /**
   * Saves the card that a patient enters for a debt, and charges it from then on; agreed prices stay (D87). Safe to
   * retry: the card of a reference is attached once, and saving the same profile changes nothing.
   * @returns false when the bank rejects the card, or authentication is incomplete
   * @throws Unavailable when the processor did not respond
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
      // The card that the bank authenticated wins over the one the browser names.
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
      if (isRejection(error)) return false;
      throw asFailure(error);
    }
  },
});

export type DunningActivities = ReturnType<typeof createDunningActivities>;
/** Times are epoch milliseconds; `hasOtherCard` compares the saved card with the declined one. */
export type UnpaidCharge = NonNullable<Awaited<ReturnType<DunningActivities['readUnpaidCharge']>>>;

/** The bank rejects the card, or it does not exist, or it belongs to another customer. */
const isRejection = (error: unknown): boolean =>
  error instanceof OutboundError &&
  error.fault.kind === 'status' &&
  [400, 402, 404].includes(error.fault.status);
