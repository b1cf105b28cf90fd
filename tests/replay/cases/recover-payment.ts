import { activityInfo } from '@temporalio/activity';
import type { NotificationActivities } from '../../../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../../../activities/orchestrator/patients.js';
import type { DunningActivities, UnpaidCharge } from '../../../activities/orchestrator/dunning.js';
import type { Remedy } from '../../../domain/orchestrator/dunning.js';
import type { recoverPayment as workflow } from '../../../workflows/orchestrator/recover-payment.js';
import {
  goodActivities,
  type PipelineActivities,
  refusal,
  unanswered,
} from '../../workflows/orchestrator/pipeline-activities.js';
import { type CasesOf, type Expected, type CheckedCase, ownRun } from '../cases.js';

const dayMs = 24 * 60 * 60 * 1000;

/** The bank's answers to the next charges, one after the other; the last answer stays. */
type Bank = readonly (Remedy | 'paid')[];

const reasons: Record<Remedy, string> = {
  time: 'insufficient_funds',
  card: 'expired_card',
  authentication: 'authentication_required',
};

/** A charge that has failed, as the database and the processor would keep it. */
export class Book {
  row: Pick<
    UnpaidCharge,
    | 'state'
    | 'status'
    | 'remedy'
    | 'retriesDone'
    | 'messagesSent'
    | 'newCardAt'
    | 'hasCouponEnded'
    | 'hasLeft'
  > & { attempt: number };
  private openedAt = 0;
  /** When it was last read: a local activity, as a charge is, knows no time but the machine's own. */
  private readAt = 0;
  private answers: (Remedy | 'paid')[];
  /** In hours since the recovery began. */
  readonly chargedAfter: number[] = [];
  readonly told: {
    hours: number;
    type: string;
    reference: string;
    amount: string | undefined;
    paymentUrl: string | undefined;
  }[] = [];

  constructor(remedy: Remedy, bank: Bank, over: Partial<Book['row']> = {}) {
    this.answers = [...bank];
    this.row = {
      state: 'open',
      status: 'failed',
      remedy,
      retriesDone: 0,
      messagesSent: 0,
      attempt: 1,
      newCardAt: null,
      hasCouponEnded: false,
      hasLeft: false,
      ...over,
    };
  }

  private hours(at = activityInfo().scheduledTimestampMs): number {
    return Math.round(((at - this.openedAt) / dayMs) * 24);
  }

  readonly activities: Pick<
    PipelineActivities & DunningActivities & PatientActivities & NotificationActivities,
    keyof DunningActivities | 'chargeSavedCard' | 'recordPayment' | 'fetchContact' | 'notifyPatient'
  > = {
    readUnpaidCharge: async () => {
      this.readAt = activityInfo().scheduledTimestampMs;
      this.openedAt ||= this.readAt;
      return {
        ...this.row,
        retriesAt: [1, 3, 7].map((days) => this.openedAt + days * dayMs),
        endsAt: this.openedAt + 14 * dayMs,
        emrPatientId: 'patient-1',
        priceCents: 29_900,
        amount: '$299.00',
        reason: 'No.',
        dueDate: '2026-12-06',
        paymentUrl: 'http://intake.test/pay?token=t',
      };
    },
    noteUnpaidCharge: async ({ retriesDone = 0, messagesSent = 0, chargedCardAt }) => {
      this.row.retriesDone = Math.max(this.row.retriesDone, retriesDone);
      this.row.messagesSent = Math.max(this.row.messagesSent, messagesSent);
      if (chargedCardAt !== undefined) this.row.newCardAt = null;
    },
    giveUpCharge: async () => void (this.row.state = 'unpaid'),
    attachHandedInCard: async () => ({ customerId: 'cus_1', paymentMethodId: 'pm_1' }),
    chargeSavedCard: async () => {
      const { status, state } = this.row;
      if (status === 'succeeded' || state === 'cancelled') return;
      // A pending charge is asked for again under its own key.
      if (status === 'failed') this.row.attempt += 1;
      this.chargedAfter.push(this.hours(this.readAt));
      const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
      if (answer === 'paid') {
        Object.assign(this.row, { status: 'succeeded', state: 'paid' });
        return;
      }
      this.row.remedy = answer ?? 'card';
      refusal(`Card declined: ${reasons[this.row.remedy]}`, 'Declined')();
    },
    recordPayment: async ({ outcome }) => {
      this.row.status = outcome.status;
      if (outcome.status === 'succeeded') this.row.state = 'paid';
    },
    fetchContact: async () => ({ name: 'Ada Test', email: 'ada@example.test' }),
    notifyPatient: async ({ type, reference, variables: { amount, paymentUrl } }) => {
      // The notification service sends once for each reference. A run that continues as new asks again.
      if (this.told.some((message) => message.reference === reference)) return;
      this.told.push({ hours: this.hours(), type, reference, amount, paymentUrl });
    },
  };
}

export const recovering = (
  book: Book,
  expect: Expected,
  replaced: object = {},
): CheckedCase<Parameters<typeof workflow>> & { skipTime: true } => ({
  args: ['task'],
  activities: { ...goodActivities(), ...book.activities, ...replaced },
  skipTime: true,
  expect,
});

const [unansweredBook, cancelled] = [new Book('time', ['paid']), new Book('time', ['time'])];
// No day is skipped: it stays open.
const awaited = new Book('card', ['card']);

export const recoverPayment: CasesOf<typeof workflow> = {
  'paid-at-once-again': recovering(new Book('time', ['time', 'paid']), {
    behavior: 'a soft decline is charged again until it is paid, and reminded of until then',
    times: { chargeSavedCard: 2, giveUpCharge: 0 },
    inputs: {
      notifyPatient: [
        { type: 'payment_error', reference: 'task' },
        { type: 'pending_payment', reference: 'task:1' },
      ],
    },
    details: ['Paid'],
  }),
  'never-paid': recovering(new Book('card', ['card']), {
    behavior: 'a hard decline is never charged again, the patient is reminded thrice, and a person is asked',
    times: { chargeSavedCard: 0, notifyPatient: 4, giveUpCharge: 1 },
    details: ['Work item `payment_unpaid` is open'],
  }),
  'new-card': recovering(new Book('card', ['paid'], { newCardAt: 1 }), {
    behavior: 'a new card is charged at once',
    times: { chargeSavedCard: 1, notifyPatient: 0 },
    details: ['Paid'],
  }),
  'handed-in': {
    ...recovering(new Book('authentication', ['paid']), {
      behavior: 'the patient hands a card in, and is answered with what came of it',
      answer: { paid: true, status: 'succeeded' },
      times: { attachHandedInCard: 1, chargeSavedCard: 1 },
      inputs: { chargeSavedCard: [{ card: { customerId: 'cus_1', paymentMethodId: 'pm_1' } }] },
    }),
    startedBy: { update: 'pay', args: [{ paymentMethodId: 'pm_card_visa' }] },
  },
  cancelled: recovering(
    cancelled,
    {
      behavior: 'once its task is cancelled nothing is charged or told any more',
      times: { chargeSavedCard: 0, notifyPatient: 1, giveUpCharge: 0 },
      details: ['Cancelled'],
    },
    {
      notifyPatient: async () => {
        cancelled.row.state = 'cancelled';
        await ownRun().signal('recheck');
      },
    },
  ),
  unanswered: recovering(
    unansweredBook,
    {
      behavior: 'a charge that is in doubt is settled by a run of its own, and nothing is charged meanwhile',
      times: { chargeSavedCard: 3, giveUpCharge: 0 },
      details: ['Paid'],
    },
    {
      chargeSavedCard: async () => {
        unansweredBook.row.status = 'pending';
        return unanswered();
      },
      findCharge: async () => ({ outcome: { status: 'succeeded', paymentIntentId: 'pi_1' } }),
    },
  ),
  running: { args: ['task'], activities: awaited.activities, openAt: 'fetchContact' },
};
