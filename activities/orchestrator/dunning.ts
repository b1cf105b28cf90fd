import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { findDunning, giveUpDunning, recordDunningProgress } from '../../db/orchestrator/dunning.js';
import { findPaymentProfile } from '../../db/orchestrator/payment-profiles.js';
import type { Sql } from '../../db/client.js';
import type { PatientContact } from '../../domain/orderable-patient.js';
import {
  amountText,
  type ChargeableCard,
  type HandedInCard,
  hasCouponEnded,
  planOf,
  reasonText,
  remedyOfSaved,
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
    return {
      ...plan,
      state,
      status,
      retriesDone,
      messagesSent,
      attempt,
      emrPatientId,
      hasLeft: recovery.departure !== null,
      remedy: remedyOfSaved(recovery),
      hasCouponEnded: hasCouponEnded(recovery),
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
   * Attaches the card that a patient hands in to their customer at the processor, for one charge. The saved card stays
   * (D160). Safe to retry: the card of a reference is attached once.
   * @returns null when the bank rejects the card, or authentication is incomplete
   * @throws Unavailable when the processor did not respond
   */
  async attachHandedInCard(input: {
    reference: string;
    emrPatientId: string;
    contact: PatientContact;
    card: HandedInCard;
  }): Promise<ChargeableCard | null> {
    const { reference, emrPatientId, contact, card } = input;
    const { setupIntentId } = card;
    const profile = await findPaymentProfile(sql, emrPatientId);
    try {
      const setup = setupIntentId === undefined ? undefined : await cards.findSetup(setupIntentId);
      // The card that the bank authenticated wins over the one the browser names.
      const checked = setup?.isDone === true ? setup.paymentMethodId : undefined;
      const paymentMethodId = checked ?? card.paymentMethodId;
      if (paymentMethodId === undefined) return null;
      const { customerId, cardId } = await cards.saveCard(
        {
          reference: uuidV5('payer', reference),
          contact,
          customerId: profile?.customerId ?? null,
        },
        { paymentMethodId, setupIntentId },
      );
      return { customerId, paymentMethodId: cardId };
    } catch (error) {
      if (isRejection(error)) return null;
      throw asFailure(error);
    }
  },
});

export type DunningActivities = ReturnType<typeof createDunningActivities>;
/** Times are epoch milliseconds; `remedy` is the saved card's. */
export type UnpaidCharge = NonNullable<Awaited<ReturnType<DunningActivities['readUnpaidCharge']>>>;

/** The bank rejects the card, or it does not exist, or it belongs to another customer. */
const isRejection = (error: unknown): boolean =>
  error instanceof OutboundError &&
  error.fault.kind === 'status' &&
  [400, 402, 404].includes(error.fault.status);
