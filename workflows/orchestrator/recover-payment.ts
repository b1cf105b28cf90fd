import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  log,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { NotificationActivities } from '../../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import type { DunningActivities, UnpaidCharge } from '../../activities/orchestrator/dunning.js';
import {
  type ChargeableCard,
  type HandedInCard,
  isHandedIn,
  type PayAnswer,
} from '../../domain/orchestrator/dunning.js';
import { oneAtATime, rechecks } from '../handlers.js';
import { payUpdate } from '../messages.js';
import { failureOf, ordinary } from '../proxies.js';
import { rxWaiting } from '../search-attributes.js';
import { chargeSavedCard } from './charge-saved-card.js';

// No local activities, since concurrent ones may not replay.
const records = ordinary<DunningActivities>({
  startToCloseTimeout: '15 s',
  retry: { maximumInterval: '10 s' },
});
// The patient waits, so there are two attempts only.
const cards = ordinary<DunningActivities & PatientActivities>({
  startToCloseTimeout: '15 s',
  retry: { maximumAttempts: 2 },
});
// No caller waits: retries for hours, or until dunning ends.
const messages = ordinary<PatientActivities & NotificationActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
  retry: { maximumAttempts: 200, maximumInterval: '5 minutes' },
});

/** A run with a charge in doubt waits this long for its outcome. Then nobody may be looking, and the run asks itself. */
const doubtMs = 60 * 60 * 1000;

/**
 * Dunning of a failed charge (D107): retries soft declines as planned, charges a new card at once and reminds the
 * patient. It ends with the payment, a cancellation, or a work item, which opens at once for a patient who has left
 * (D117). All progress is in the charge's row, so a new run can resume a terminated one.
 */
export async function recoverPayment(reference: string): Promise<void> {
  await CancellationScope.nonCancellable(() => recover(reference));
}

async function recover(reference: string): Promise<void> {
  // At most one charge at a time.
  const inTurn = oneAtATime();
  const recheck = rechecks();
  setHandler(payUpdate, (card) =>
    inTurn(async () => {
      const answer = await pay(reference, card);
      recheck.note();
      return answer;
    }),
  );

  upsertSearchAttributes([{ key: rxWaiting, value: 'payment_unpaid' }]);
  const notifyScope = new CancellationScope();
  let notification: Promise<void> | undefined;
  let doubtSince: number | undefined;
  for (;;) {
    recheck.clear();
    const isInDoubt = doubtSince !== undefined && Date.now() >= doubtSince + doubtMs;
    const charge = await inTurn(() => chargeIfDue(reference, isInDoubt));
    doubtSince =
      charge?.status === 'pending' ? ((isInDoubt ? undefined : doubtSince) ?? Date.now()) : undefined;
    if (charge?.state !== 'open') {
      notifyScope.cancel();
      await notification;
      await condition(allHandlersFinished);
      upsertSearchAttributes([{ key: rxWaiting, value: null }]);
      setCurrentDetails(endings[charge?.state ?? 'cancelled']);
      return;
    }
    if (charge.status === 'failed' && charge.messagesSent <= charge.retriesDone && !notification)
      notification = notifyScope
        .run(() => notify(reference, charge))
        .then(recheck.note, () => undefined)
        .then(() => void (notification = undefined));
    const nextAt = nextOf(charge);
    await records('Record the next check').noteUnpaidCharge({ reference, nextAt });
    show(charge, nextAt);
    await condition(recheck.isDue, Math.max(nextAt - Date.now(), 1));
    if (workflowInfo().continueAsNewSuggested) {
      // The next run sends the message again, under the same key.
      notifyScope.cancel();
      await notification;
      await condition(allHandlersFinished);
      await continueAsNew<typeof recoverPayment>(reference);
    }
  }
}

const endings = {
  paid: '**Paid.**',
  cancelled: '**Cancelled.** No further charge follows.',
  unpaid: '**Not paid in time.** Work item `payment_unpaid` is open.',
} as const;

const read = (reference: string) => records('Read the charge').readUnpaidCharge({ reference });

/**
 * Charges at most once, or gives up.
 * @param isInDoubt repeats the request of a pending charge, which its key makes safe
 * @returns the charge afterwards
 */
async function chargeIfDue(reference: string, isInDoubt: boolean): Promise<UnpaidCharge | null> {
  const charge = await read(reference);
  if (charge?.state === 'open' && charge.status === 'pending' && isInDoubt) {
    await tryCharge('Look for the charge', reference, charge);
    return read(reference);
  }
  if (charge?.state !== 'open' || charge.status !== 'failed') return charge;
  const now = Date.now();
  const due = charge.retriesAt.filter((at) => at <= now).length;
  if (charge.hasLeft || charge.endsAt <= now) {
    await records('Open a work item').giveUpCharge({ reference });
  } else if (charge.newCardAt !== null) {
    await tryCharge('Charge the new card', reference, charge);
    await records('Record the charge').noteUnpaidCharge({ reference, chargedCardAt: charge.newCardAt });
  } else if (due > charge.retriesDone) {
    if (charge.remedy === 'time')
      await tryCharge(`Charge again, ${due} of ${charge.retriesAt.length}`, reference, charge);
    await records('Record the retry').noteUnpaidCharge({ reference, retriesDone: due });
  } else {
    return charge;
  }
  return read(reference);
}

/** The patient's own attempt. A hard decline of the saved card is not retried with it. */
async function pay(reference: string, card: HandedInCard): Promise<PayAnswer> {
  const charge = await read(reference);
  if (charge?.state !== 'open' || charge.status !== 'failed') return answerOf(charge);
  const { emrPatientId, remedy, hasCouponEnded } = charge;
  const how: { card?: ChargeableCard; fullPriceAgreed?: true } = hasCouponEnded
    ? { fullPriceAgreed: true }
    : {};
  if (isHandedIn(card)) {
    const attached = await attachCard(reference, emrPatientId, card);
    if (!attached) return answerOf(charge);
    how.card = attached;
  } else if (remedy === 'card' && !hasCouponEnded) {
    return answerOf(charge);
  }
  await tryCharge('Charge the card of the patient', reference, charge, how);
  return answerOf(await read(reference));
}

const answerOf = (charge: UnpaidCharge | null): PayAnswer => {
  const status = charge?.status ?? 'failed';
  return { paid: status === 'succeeded', status };
};

/** @returns null if the card is rejected, or the processor or the EMR is down; the patient may retry */
async function attachCard(
  reference: string,
  emrPatientId: string,
  card: HandedInCard,
): Promise<ChargeableCard | null> {
  try {
    const contact = await cards('Find patient in EMR').fetchContact({ emrPatientId });
    return await cards('Attach the card').attachHandedInCard({ reference, emrPatientId, contact, card });
  } catch (error) {
    log.warn('a card was not attached', { reason: failureOf(error).message });
    return null;
  }
}

/** The payment records the result. A decline or a charge in doubt is no failure of this run. */
async function tryCharge(
  title: string,
  reference: string,
  { emrPatientId, priceCents }: UnpaidCharge,
  how: { card?: ChargeableCard; fullPriceAgreed?: true } = {},
): Promise<void> {
  await chargeSavedCard(title, { taskId: reference, emrPatientId, priceCents, ...how }).catch(
    (error: unknown) => log.info('not charged', { reason: failureOf(error).message }),
  );
}

/** Sends the notice of the failed charge, or the next reminder. An undeliverable one is skipped. */
async function notify(reference: string, charge: UnpaidCharge): Promise<void> {
  const { retriesDone: n, amount, reason, dueDate, paymentUrl, emrPatientId } = charge;
  try {
    const contact = await messages('Find patient in EMR').fetchContact({ emrPatientId });
    await messages(n === 0 ? 'Notify patient' : `Remind patient, ${n}`).notifyPatient(
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
    log.warn('a patient was not notified of an unpaid charge', { reason: failureOf(error).message });
  }
  await records('Record the message').noteUnpaidCharge({ reference, messagesSent: n + 1 });
}

/** The next check without a signal; epoch milliseconds. */
function nextOf({ status, endsAt, retriesAt, retriesDone }: UnpaidCharge): number {
  if (status !== 'failed') return Date.now() + doubtMs;
  return Math.min(retriesAt[retriesDone] ?? endsAt, endsAt);
}

function show({ status, remedy, retriesDone, retriesAt, endsAt }: UnpaidCharge, nextAt: number): void {
  const at = (ms: number) => new Date(ms).toISOString();
  if (status !== 'failed') {
    setCurrentDetails('**In doubt.** Waiting for the outcome of a charge.');
    return;
  }
  const next = {
    time: 'the card is charged again',
    card: 'the patient is reminded; another card is charged at once',
    authentication: 'the patient is reminded; their bank must authenticate the payment first',
  }[remedy];
  setCurrentDetails(
    [
      `**Not paid.** Waiting for the patient until ${at(endsAt)}; then a work item opens.`,
      retriesDone < retriesAt.length ? `At ${at(nextAt)} ${next}.` : 'No reminder is left.',
    ].join('\n\n'),
  );
}
