import { addressOf, dayOf, money, pharmacyOf, words } from './words.js';

/** What became of an action (D135), in the words of the page. */
const results = {
  cancel: ({ cancellation: { state, reason, refundedCents } }) =>
    state === 'denied'
      ? refused(`The pharmacy refused${reason ? `: ${words(reason).toLowerCase()}` : ''}. The order stays.`)
      : `The order is cancelled${refundedCents > 0 ? `, and ${money(refundedCents)} refunded` : ''}.`,
  reroute: ({ pharmacy }) => `${pharmacyOf(pharmacy)} has the order now.`,
  replace: ({ replacement: { state, pharmacy } }) =>
    state === 'unknown'
      ? 'The pharmacy has not said whether it has the replacement. The desk asks it.'
      : `${pharmacyOf(pharmacy)} has the replacement.`,
  refund: ({ refund: { state, amountCents, refundedCents } }) =>
    state === 'failed'
      ? refused(`The refund of ${money(amountCents)} was rejected.`)
      : `${money(amountCents)} refunded, ${money(refundedCents)} in all.`,
  charge_again: ({ payment: { status, amountCents } }) =>
    status === 'failed'
      ? refused(`The card was declined. ${money(amountCents)} is not paid.`)
      : `${money(amountCents)} ${status === 'succeeded' ? 'paid' : 'charged; the bank has not answered'}.`,
  send_again: ({ notice: { type, channels } }) =>
    `${words(type)} sent by ${channels
      .filter(({ status }) => status === 'sent')
      .map(({ channel }) => (channel === 'sms' ? 'text message' : 'e-mail'))
      .join(' and ')}.`,
  skip: nextRefill,
  move: nextRefill,
  resume: nextRefill,
  ship_to: ({ schedule: { shipTo } }) =>
    shipTo
      ? `The next ${shipTo.fillsLeft === 1 ? 'refill goes' : `${shipTo.fillsLeft} refills go`} to ${addressOf(shipTo)}.`
      : 'The refills go to the address in the medical record.',
  pause: () => 'No refill is sent until somebody resumes them.',
  stop_refills: () => 'No refill is sent any more.',
};
const refused = (text) => ({ text, isBad: true });
function nextRefill({ schedule }) {
  return `The next refill is due on ${dayOf(schedule.nextFillDate)}.`;
}

/** @param done the answer of the service. @returns what the page says */
export function resultOf(name, done) {
  if (done.isPending) return { text: 'Accepted; it continues by itself.', isBad: false };
  const said = results[name]?.(done) ?? '';
  return typeof said === 'string' ? { text: `Done. ${said}`.trim(), isBad: false } : said;
}
