import type { WorkItem } from '../../db/worklist/items.js';
import type { KnownContext } from './item-context.js';

export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

/** One sentence or two for each answer of a work item: what it will do to this order (D143). */
export function effectsOf({ kind, answers }: Pick<WorkItem, 'kind' | 'answers'>, known: KnownContext) {
  // A replacement is not rerouted, so its item lacks that answer.
  const isReplacement = kind === 'order_missing' && !answers.includes('reroute');
  const about = isReplacement ? 'replacement_missing' : kind;
  return Object.fromEntries(answers.map((answer) => [answer, effectOf(about, answer, known)]));
}

function effectOf(kind: string, answer: string, { context, leftCents, refillsLeft }: KnownContext): string {
  const pharmacy = context.pharmacy ?? 'the pharmacy';
  const amount = context.amountCents === null ? 'the charge' : dollars(context.amountCents);
  switch (`${kind}.${answer}`) {
    case 'refill_failed.cancel':
      return 'Ends the refill schedule. No further refill is sent.';
    case 'approval_failed.cancel':
      return `Cancels the task, and its order where there is one.${leftCents ? ` Refunds ${dollars(leftCents)}.` : ''}`;
    case 'order_missing.cancel':
      return `Cancels the task.${leftCents ? ` Refunds ${dollars(leftCents)}.` : ''}`;
    case 'order_missing.reroute':
      return 'Orders at the pharmacy that you choose. Nothing is charged again.';
    case 'replacement_missing.cancel':
      return `Cancels the replacement only.${leftCents ? ` Refunds ${dollars(leftCents)}.` : ''} The task and its refills stay.`;
    case 'replacement_missing.order_again':
      return `Orders the next replacement at ${pharmacy}. ${chargeOfNext(leftCents)}`;
    case 'close_differences.recheck':
    case 'statement_differences.recheck':
      return `Looks again at ${linesOf(context.differences)} and settles what is in order by now. Nothing else changes.`;
    case 'shipped_after_cancel.charge_again':
      return 'Charges the refunded amount again, once.';
    case 'check_in_missing.remind':
      return 'Tells the patient once more that the check-in is past due.';
    case 'check_in_missing.pause':
      return 'Pauses the plan until somebody resumes it.';
    case 'emr_sync_failed.retry':
      return 'Writes the change to the EMR again.';
    case 'intake_unplaced.retry':
      return 'Looks for the patient in the EMR again, or creates the record.';
    case 'endpoint_failing.try_again':
      return "Sends the waiting events to the client's system at once.";
    case 'endpoint_failing.disable':
      return 'Sends no more events until the endpoint is enabled. None is lost.';
    case 'refund_failed.retry':
      return 'Asks the processor again for the refund.';
    case 'shipment_failed.retry':
      return 'Records the shipment again under the same key.';
  }
  switch (answer) {
    case 'dismiss':
      return 'Closes the item. Nothing else changes.';
    case 'proceed':
      return `Asks ${pharmacy} to continue with the order as it is.`;
    case 'change':
      return `Sends the changed fields to ${pharmacy}, which continues with them. Later refills follow new directions, quantity and days too, unless they are for this order only.`;
    case 'decline':
      return `Declines what ${pharmacy} asks for. It decides what becomes of the order.`;
    case 'cancel':
      return [`Asks ${pharmacy} to cancel the order.`, refundOf(leftCents), endOf(refillsLeft)]
        .filter(Boolean)
        .join(' ');
    case 'reroute':
      return `Cancels the order at ${pharmacy} and orders at the pharmacy that you choose. Nothing is charged again.`;
    case 'order_again':
      return `Orders the same prescription at ${pharmacy} again. Nothing is charged again.`;
    case 'ask_again':
      return `Asks ${pharmacy} again.`;
    case 'approve_again':
      return 'Runs the approval again. Steps that succeeded are not repeated.';
    case 'try_again':
      return 'Runs this refill now.';
    case 'pause':
      return 'Pauses the refills until somebody resumes them.';
    case 'charge_again':
      return `Charges ${amount} to the saved card again.`;
    case 'waive':
      return `Waives ${amount}. The order stays.`;
    case 'redeliver':
      return context.callbackUrl === null
        ? 'Delivers it again.'
        : 'Delivers the callback to its receiver again.';
    case 'check_again':
      return 'Reads the patient from the EMR again.';
    case 'verify':
      return 'Checks the domain again.';
    case 'decide':
      return 'Makes the next fill one of the phase that you choose. It is sent when it is due and nothing else is missing.';
    case 'renew':
      return 'Prescribes the plan until the day that you choose.';
    case 'stop':
      return `Ends the plan.${refillsLeft ? ` ${fillsOf(refillsLeft)} not sent.` : ''}`;
    case 'settle':
      return 'Records that the two records are in order.';
    default:
      return 'Carries out the answer.';
  }
}

const linesOf = (count: number | undefined): string =>
  count === undefined
    ? 'each line that differs'
    : count === 1
      ? 'the line that differs'
      : `the ${count} lines that differ`;

/** The next replacement is paid for as the missing one was to be. */
const chargeOfNext = (leftCents: number | null): string =>
  leftCents
    ? `Refunds ${dollars(leftCents)} and charges for the new one.`
    : 'Charges for it only if the patient was to pay for the missing one.';

export const refundOf = (leftCents: number | null): string =>
  leftCents === null || leftCents === 0 ? '' : `If it does, ${dollars(leftCents)} is refunded.`;

const fillsOf = (fills: number): string => (fills === 1 ? '1 fill is' : `${fills} fills are`);

export const endOf = (refillsLeft: number | null): string =>
  refillsLeft === null || refillsLeft === 0
    ? ''
    : `If it does, ${refillsLeft} ${refillsLeft === 1 ? 'refill ends' : 'refills end'}.`;
