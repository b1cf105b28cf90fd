import {
  allHandlersFinished,
  CancellationScope,
  condition,
  isCancellation,
  log,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { NotificationActivities } from '../../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import type { DunningActivities, UnpaidCharge } from '../../activities/orchestrator/dunning.js';
import type { HandedInCard, PayAnswer } from '../../domain/orchestrator/dunning.js';
import { recheckSignal, payUpdate } from '../messages.js';
import { oneAtATime } from '../one-at-a-time.js';
import { failureOf, ordinary } from '../proxies.js';
import { rxWaiting } from '../search-attributes.js';
import { chargeSavedCard } from './charge-saved-card.js';

// Ordinary ones throughout: messages are sent beside charges, and local activities side by side may not replay.
const records = ordinary<DunningActivities>({
  startToCloseTimeout: '15 s',
  retry: { maximumInterval: '10 s' },
});
// A patient waits for it: two calls, or a few quick refusals.
const cards = ordinary<DunningActivities & PatientActivities>({
  startToCloseTimeout: '15 s',
  retry: { maximumAttempts: 2 },
});
// Nobody waits for a message: hours of faults are overcome, or the recovery ends before.
const messages = ordinary<PatientActivities & NotificationActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
  retry: { maximumAttempts: 200, maximumInterval: '5 minutes' },
});

/** While a charge is in doubt its verdict wakes this run; should that be lost, it looks by itself. */
const doubtMs = 60 * 60 * 1000;

/**
 * Gets a charge paid that has failed (D107): soft declines are charged again as planned, a new card at once, and the
 * patient is told and reminded, until it is paid or cancelled, or its time is over and a person is asked. What was done
 * stands in its row, so that a run that was ended by force is begun again where it was.
 */
export async function recoverPayment(reference: string): Promise<void> {
  await CancellationScope.nonCancellable(() => recover(reference));
}

async function recover(reference: string): Promise<void> {
  let isNudged = false;
  // Charges come one after the other, whoever asks for them.
  const inTurn = oneAtATime();
  setHandler(recheckSignal, () => void (isNudged = true));
  setHandler(payUpdate, (card) =>
    inTurn(async () => {
      const answer = await pay(reference, card);
      isNudged = true;
      return answer;
    }),
  );

  // Until it is paid the patient is awaited, and in the end a person of ours.
  upsertSearchAttributes([{ key: rxWaiting, value: 'payment_unpaid' }]);
  const telling = new CancellationScope();
  let underWay: Promise<void> | undefined;
  for (;;) {
    isNudged = false;
    const charge = await inTurn(() => chargeWhatIsDue(reference));
    if (charge?.state !== 'open') {
      telling.cancel();
      await underWay;
      await condition(allHandlersFinished);
      upsertSearchAttributes([{ key: rxWaiting, value: null }]);
      setCurrentDetails(endings[charge?.state ?? 'cancelled']);
      return;
    }
    if (charge.status === 'failed' && charge.messagesSent <= charge.retriesDone && !underWay)
      underWay = telling
        .run(() => tell(reference, charge))
        .then(
          () => (isNudged = true),
          () => undefined,
        )
        .then(() => void (underWay = undefined));
    const nextAt = nextOf(charge);
    await records('Note when to look again').noteUnpaidCharge({ reference, nextAt });
    show(charge, nextAt);
    await condition(() => isNudged, Math.max(nextAt - Date.now(), 1));
  }
}

const endings = {
  paid: '**Paid.**',
  cancelled: '**Cancelled.** Nothing is charged any more.',
  unpaid: '**Not paid in time.** A person is asked: work item `payment_unpaid`.',
} as const;

const read = (reference: string) => records('Read what is owed').readUnpaidCharge({ reference });

/** Charges once if it is time to, or gives up. @returns how it stands then */
async function chargeWhatIsDue(reference: string): Promise<UnpaidCharge | null> {
  const charge = await read(reference);
  if (charge?.state !== 'open' || charge.status !== 'failed') return charge;
  const now = Date.now();
  const due = charge.retriesAt.filter((at) => at <= now).length;
  if (charge.endsAt <= now) {
    await records('Ask a person').giveUpCharge({ reference });
  } else if (charge.newCardAt !== null) {
    await tryCharge('Charge the new card', reference, charge);
    await records('Note the charge').noteUnpaidCharge({ reference, chargedCardAt: charge.newCardAt });
  } else if (due > charge.retriesDone) {
    if (charge.remedy === 'time' || charge.hasOtherCard)
      await tryCharge(`Charge again, ${due} of ${charge.retriesAt.length}`, reference, charge);
    await records('Note the retry').noteUnpaidCharge({ reference, retriesDone: due });
  } else {
    return charge;
  }
  return read(reference);
}

/** The patient's own try. A hard decline is not tried again with the card that was declined. */
async function pay(reference: string, card: HandedInCard): Promise<PayAnswer> {
  const charge = await read(reference);
  if (charge?.state !== 'open' || charge.status !== 'failed') return answerOf(charge);
  const { emrPatientId, remedy, hasCouponEnded, hasOtherCard } = charge;
  const isHandedIn = card.paymentMethodId !== undefined || card.setupIntentId !== undefined;
  if (isHandedIn) {
    const isSaved = await saveCard(reference, emrPatientId, card);
    if (!isSaved) return answerOf(charge);
  } else if (remedy === 'card' && !hasCouponEnded && !hasOtherCard) {
    return answerOf(charge);
  }
  await tryCharge('Charge the card of the patient', reference, charge, hasCouponEnded);
  return answerOf(await read(reference));
}

const answerOf = (charge: UnpaidCharge | null): PayAnswer => {
  const status = charge?.status ?? 'failed';
  return { paid: status === 'succeeded', status };
};

/** Whether the card is saved; a processor or an EMR that is away means that it is not, and the patient tries again. */
async function saveCard(reference: string, emrPatientId: string, card: HandedInCard): Promise<boolean> {
  try {
    const contact = await cards('Find patient in EMR').fetchContact({ emrPatientId });
    return await cards('Save the card').saveHandedInCard({ reference, emrPatientId, contact, card });
  } catch (error) {
    log.warn('a card was not saved', { reason: failureOf(error).message });
    return false;
  }
}

/** What comes of it stands in the payment: a decline, or a charge that is in doubt, is no failure of this run. */
async function tryCharge(
  title: string,
  reference: string,
  { emrPatientId, priceCents }: UnpaidCharge,
  fullPriceAgreed = false,
): Promise<void> {
  const task = { taskId: reference, emrPatientId, priceCents };
  await chargeSavedCard(title, fullPriceAgreed ? { ...task, fullPriceAgreed } : task).catch(
    (error: unknown) => log.info('not charged', { reason: failureOf(error).message }),
  );
}

/** The message that is due: that the charge has failed, then the reminders. One that cannot be delivered is left out. */
async function tell(reference: string, charge: UnpaidCharge): Promise<void> {
  const { retriesDone: n, amount, reason, dueDate, paymentUrl, emrPatientId } = charge;
  try {
    const contact = await messages('Find patient in EMR').fetchContact({ emrPatientId });
    await messages(n === 0 ? 'Tell the patient' : `Remind the patient, ${n}`).notifyPatient(
      n === 0
        ? { type: 'payment_error', reference, contact, variables: { amount, reason, paymentUrl } }
        : {
            type: 'pending_payment',
            reference: `${reference}:${n}`,
            contact,
            variables: { amount, dueDate, paymentUrl },
          },
    );
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('a patient was not told of what is owed', { reason: failureOf(error).message });
  }
  await records('Note the message').noteUnpaidCharge({ reference, messagesSent: n + 1 });
}

/** When something may be due without anybody saying so. */
function nextOf({ status, endsAt, retriesAt, retriesDone }: UnpaidCharge): number {
  if (status !== 'failed') return Date.now() + doubtMs;
  return Math.min(retriesAt[retriesDone] ?? endsAt, endsAt);
}

/** For the operator who is asked what is being done about it. */
function show({ status, remedy, retriesDone, retriesAt, endsAt }: UnpaidCharge, nextAt: number): void {
  const at = (ms: number) => new Date(ms).toISOString();
  if (status !== 'failed') {
    setCurrentDetails('**In doubt.** The verdict on a charge is awaited.');
    return;
  }
  const awaited = {
    time: 'the card is charged again',
    card: 'the patient is reminded; another card is charged at once',
    authentication: 'the patient is reminded; their bank must be satisfied first',
  }[remedy];
  setCurrentDetails(
    [
      `**Not paid.** The patient is awaited until ${at(endsAt)}; then a person is asked.`,
      retriesDone < retriesAt.length ? `At ${at(nextAt)} ${awaited}.` : 'No reminder is left.',
    ].join('\n\n'),
  );
}
