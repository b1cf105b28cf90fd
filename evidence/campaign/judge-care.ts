import type { Books } from './books.js';
import {
  badAnswersOfABudget,
  badCalls,
  chargesOf,
  type Evidence,
  type Find,
  labelsOf,
  ordersOf,
  partiesWereAway,
  priceCents,
  referencesOf,
  wasLost,
} from './records.js';
import type { Case } from './stories.js';

type Order = Books['orders'][number];

/** Judges the care after a good order: addresses, replacements, orders again, parcels, refills that were mended. */
export function judgeCare(known: Case, evidence: Evidence, find: Find): void {
  judgeAddress(known, evidence, find);
  // A client that got no order asks for nothing more.
  if (!known.asked) return;
  switch (known.kind) {
    case 'mended':
      if (known.status !== 'completed') find('stuck', 'a refill that was tried again');
      return;
    case 'replaced':
      judgeReplacement(known, evidence, find);
      return;
    case 'missing':
      judgeOrderAgain(known, evidence, find);
      return;
    case 'parcels':
      judgeParcels(known, evidence, find);
      return;
    default:
  }
}

/** Each order and each label goes where the client said, else to the address in the EMR. */
function judgeAddress(known: Case, { books }: Evidence, find: Find): void {
  const { addressLine1, state } = known.shipTo;
  for (const { body } of referencesOf(known).flatMap((one) => ordersOf(one, books))) {
    const to = (body['shipTo'] ?? body['shipping'] ?? {}) as Record<string, unknown>;
    if ((to['line1'] ?? to['address1']) !== addressLine1 || to['state'] !== state)
      find('wrong address', 'the order at the pharmacy');
  }
  const submissions = referencesOf(known).map(({ submissionId }) => submissionId);
  for (const { target, about, sentTo } of books.calls)
    if (target === 'shipping' && submissions.includes(about) && sentTo !== addressLine1)
      find('wrong address', 'the label');
}

function judgeReplacement(known: Case, { books, harms }: Evidence, find: Find): void {
  const ordered = known.later.filter((one) => ordersOf(one, books).length > 0);
  const orders = ordered.flatMap((one) => ordersOf(one, books));
  if (orders.length === 0) find('lost', 'the replacement at the pharmacy');
  if (orders.length > 1) find('twice', 'the replacement at the pharmacy');
  for (const one of ordered) {
    const labels = labelsOf(one, books);
    if (labels.size > 1) find('twice', 'the label of the replacement');
    const mayHaveFailed = badCalls(known, books, 'shipping') > 0 || partiesWereAway(known, harms);
    if (labels.size === 0 && !mayHaveFailed) find('lost', 'the label of the replacement');
  }
  const charges = known.later.flatMap((one) => chargesOf(one, books));
  if (charges.length > (known.isPatients ? 1 : 0)) find('twice', 'the charge for the replacement');
  for (const { amountCents, at } of charges) {
    if (amountCents !== priceCents) find('wrong amount', `charged ${amountCents} for the replacement`);
    if (!orders.some((order) => Date.parse(order.at) <= Date.parse(at) + 1_000))
      find('out of order', 'the charge before the replacement');
  }
  const hadNoAnswer = badCalls(known, books, 'stripe') > 0 || partiesWereAway(known, harms);
  if (known.isPatients && charges.length === 0 && !hadNoAnswer)
    find('lost', 'the charge for the replacement');
  judgeTold(known, { books, harms }, find, ({ subject }) => subject === 'Your order was changed');
}

/** Two orders are live at once if the second was placed before the first was cancelled or lost. */
function judgeOrderAgain(known: Case, { books }: Evidence, find: Find): void {
  const orders = referencesOf(known).flatMap((one) => ordersOf(one, books));
  const live = orders.filter((order) => !wasLost(order));
  if (!live.some((order) => endOf(order) === Infinity)) find('lost', 'the order that replaces the lost one');
  const inOrder = live.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const overlap = inOrder.some((order, index) => {
    const next = inOrder[index + 1];
    return next !== undefined && endOf(order) > Date.parse(next.at);
  });
  if (overlap) find('twice', 'a live order');
  for (const one of known.later)
    if (labelsOf(one, books).size > 1) find('twice', 'the label of the order again');
}
const endOf = ({ moves }: Order): number =>
  Date.parse(moves.find(({ status }) => status === 'cancelled')?.at ?? '') || Infinity;

function judgeParcels(known: Case, { books, harms }: Evidence, find: Find): void {
  for (const parcel of known.parcels) {
    const labels = labelsOf(known, books, parcel);
    if (labels.size === 0) find('lost', 'the record of a parcel');
    if (labels.size > 1) find('twice', 'the record of a parcel');
    judgeTold(known, { books, harms }, find, ({ text }) => text.includes(parcel));
  }
}

/** One mail, however often it was sent under its Message-ID. */
function judgeTold(
  known: Case,
  { books, harms }: Pick<Evidence, 'books' | 'harms'>,
  find: Find,
  isAboutIt: (mail: Books['mails'][number]) => boolean,
): void {
  const mails = books.mails.filter((mail) => mail.to === known.patient.email && isAboutIt(mail));
  const shown = new Set(mails.map(({ id }) => id));
  const mailWasAway = badCalls(known, books, 'smtp') >= badAnswersOfABudget || partiesWereAway(known, harms);
  if (shown.size === 0 && !mailWasAway) find('lost', `the mail of a ${known.kind} story`);
  if (shown.size > 1) find('twice', `the mail of a ${known.kind} story`);
}
