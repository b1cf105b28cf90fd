import type { Books } from './books.js';
import { judgeCare } from './judge-care.js';
import { judgeClose } from './judge-close.js';
import { judgeEvents } from './judge-events.js';
import {
  badAnswersOfABudget,
  badCalls,
  callsAbout,
  chargesOf,
  type Class,
  type Evidence,
  type Find,
  type Finding,
  labelsOf,
  ordersOf,
  partiesWereAway,
  priceCents,
  referencesOf,
} from './records.js';
import type { Case } from './stories.js';

const countedTries: readonly string[] = ['stripe', 'shipping'];
/** The processor's timestamps are whole seconds. */
const secondMs = 1_000;

export function judge(evidence: Evidence): Finding[] {
  const { cases, books, harms, sinceMs } = evidence;
  const isNew = ({ at }: { at: string }) => Date.parse(at) > sinceMs;
  const findings: Finding[] = [];
  const find = (kind: Class, what: string, about: string) => findings.push({ class: kind, what, about });
  for (const { name } of harms.endedByThemselves) find('ended by itself', 'a process', name);
  for (const known of cases) judgeCase(known, evidence, (kind, what) => find(kind, what, known.reference));

  const references = new Set(cases.flatMap(referencesOf).map(({ submissionId }) => submissionId));
  for (const { body, orderId } of books.orders.filter(isNew))
    if (!references.has(String(body['externalId'] ?? body['reference'])))
      find('twice', 'an order that nobody asked for', orderId);
  const tasks = new Set(cases.flatMap(referencesOf).map(({ reference }) => reference));
  for (const { metadata } of books.charges.filter(isNew))
    if (!tasks.has(metadata['task_id'] ?? ''))
      find('twice', 'a charge that nobody asked for', metadata['task_id'] ?? '?');
  judgeEvents(evidence, find);
  judgeClose(evidence, find);
  return findings;
}

function judgeCase(known: Case, evidence: Evidence, find: Find): void {
  const { books } = evidence;
  if (known.status === null) {
    find('stuck', `a ${known.kind} without an end`);
    return;
  }
  if (known.unequal > 0) find('unequal answers', 'repeats were told of different orders');
  switch (known.kind) {
    case 'intake':
    case 'create': {
      const held = books.emr[known.kind === 'intake' ? known.patient.email : known.reference] ?? [];
      if (held.length === 0) find('lost', 'the patient in the EMR');
      if (held.length > 1) find('twice', 'the patient in the EMR');
      return;
    }
    case 'submit':
      judgeOrder(known, evidence, find);
      judgeCallbacks(known, books, find);
      return;
    default:
      judgeOrder(known, evidence, find);
      judgePayment(known, evidence, find);
      judgeMessages(known, evidence, find);
      judgeWarnings(known, evidence, find);
      judgeCare(known, evidence, find);
  }
}

function judgeOrder(known: Case, { books, harms }: Evidence, find: Find): void {
  const orders = ordersOf(known, books);
  if (orders.length > 1) find('twice', 'the order at the pharmacy');
  if (known.status === 'completed' && orders.length === 0) find('lost', 'the order at the pharmacy');
  if (
    known.status === 'failed' &&
    orders.length > 0 &&
    chargesOf(known, books).length === 0 &&
    known.kind !== 'submit'
  )
    find('lost', 'an order that nobody followed up');
  for (const { body } of orders) {
    const { lastName } = (body['patient'] ?? {}) as { lastName?: string };
    if (known.kind !== 'submit' && !known.patient.name.endsWith(` ${lastName}`))
      find('wrong patient', 'the order at the pharmacy');
  }
  const labels = labelsOf(known, books);
  if (labels.size > Math.max(1, known.parcels.length)) find('twice', 'the label');
  if (known.kind === 'submit' || known.status !== 'completed' || known.patient.state !== 'NY') return;
  if (labels.size === 0 && !known.warnings.includes('shipment_failed')) find('lost', 'the label');
  if (
    labels.size === 1 &&
    known.warnings.includes('shipment_failed') &&
    badCalls(known, books, 'shipping') === 0 &&
    // The label may follow the warning once the service is back.
    !partiesWereAway(known, harms)
  )
    find('untrue warning', 'shipment_failed, and the label was answered');
}

function judgePayment(known: Case, { books, harms }: Evidence, find: Find): void {
  const charges = chargesOf(known, books);
  if (charges.length > 1) find('twice', 'the charge');
  const [charge] = charges;
  const [order] = ordersOf(known, books);
  if (!charge) {
    const hadNoAnswer = badCalls(known, books, 'stripe') > 0 || partiesWereAway(known, harms);
    const mayStillCome = known.chargeIsLookedFor && hadNoAnswer;
    if (
      !mayStillCome &&
      known.status === 'completed' &&
      (known.asksForCharge || !known.warnings.includes('payment_failed'))
    )
      find('lost', 'the charge');
    return;
  }
  if (charge.amountCents !== priceCents) find('wrong amount', `charged ${charge.amountCents}`);
  if (charge.customer !== known.patient.customer) find('wrong patient', 'the charge');
  if (!order) find('out of order', 'a charge without an order');
  else if (Date.parse(charge.at) + secondMs < Date.parse(order.at))
    find('out of order', 'the charge before the order');
  const refunds = books.refunds.filter(({ metadata }) => metadata['task_id'] === known.reference);
  const refundedCents = refunds.reduce((sum, { amountCents }) => sum + amountCents, 0);
  if (refunds.length > 1) find('twice', 'the refund');
  if (known.cancelled) {
    if (refundedCents === 0) find('lost', 'the refund');
    else if (refundedCents !== charge.amountCents) find('wrong amount', `given back ${refundedCents}`);
    if (order && !order.moves.some(({ status }) => status === 'cancelled'))
      find('lost', 'the cancellation at the pharmacy');
  } else if (refundedCents > 0) find('wrong amount', 'given back though nobody cancelled');
}

function judgeMessages(known: Case, { books, harms }: Evidence, find: Find): void {
  const mails = books.mails.filter(({ to }) => to === known.patient.email);
  // A mailbox shows repeats of one Message-ID once.
  const shown = new Map(mails.map(({ id, subject }) => [id, subject]));
  if (new Set(shown.values()).size < shown.size) find('twice', 'a mail');
  // A text message is enough if the mail server gave no good answer (D68).
  const mailWasAway = badCalls(known, books, 'smtp') >= badAnswersOfABudget || partiesWereAway(known, harms);
  const isTexted = mailWasAway && books.texts.some(({ to }) => to === known.patient.phone);
  const isTold = mails.length > 0 || isTexted || known.warnings.includes('notification_failed');
  if (known.status === 'completed' && !isTold) find('lost', 'the mail to the patient');
}

/** A warning or failure needs enough bad answers of an external service. An outage of our own process is no reason. */
function judgeWarnings(known: Case, { books, harms }: Evidence, find: Find): void {
  const endedMs = known.endedMs ?? Infinity;
  const outsideWasAway = partiesWereAway(known, harms, endedMs + 1_000);
  const isExplained = (...targets: string[]) =>
    outsideWasAway ||
    targets.some(
      (target) => badCalls(known, books, target) >= (countedTries.includes(target) ? 3 : badAnswersOfABudget),
    );
  const of: Record<string, string[]> = {
    payment_failed: ['stripe'],
    shipment_failed: ['shipping'],
    notification_failed: ['smtp', 'twilio'],
    pharmacy_submission: ['pharmacy_a', 'pharmacy_b'],
    patient_details: ['emr'],
  };
  const reasons = [...known.warnings, ...(known.failedStep === null ? [] : [known.failedStep])];
  for (const reason of reasons) {
    if (known.kind === 'refused' && reason === 'payment_failed') continue;
    if (!isExplained(...(of[reason] ?? [])))
      find('our own outage', `${reason}; asked: ${callsAbout(known, books, of[reason] ?? [])}`);
    const isUntrue = reason === 'payment_failed' && badCalls(known, books, 'stripe') === 0 && !outsideWasAway;
    if (isUntrue && chargesOf(known, books).length > 0)
      find('untrue warning', 'payment_failed, and it was paid');
  }
}

/**
 * The first callback reports acceptance, after failed attempts, and nothing follows the last. Between them, the
 * pharmacy's webhooks come in any order (D25).
 */
function judgeCallbacks({ submissionId, status }: Case, books: Books, find: Find): void {
  const told = books.callbacks
    .filter((callback) => callback.submissionId === submissionId)
    .map((callback) => callback.status);
  const delivered = told.indexOf('delivered');
  const afterIt = delivered < 0 ? [] : told.slice(delivered).filter((word) => word !== 'delivered');
  const first = told.find((word) => word !== 'failed');
  if ((first !== undefined && first !== 'submitted') || afterIt.length > 0) find('out of order', 'callbacks');
  if (status === 'completed' && delivered < 0) find('lost', 'the last callback');
}

/** Effects that a guard kept from happening twice: repeated keys, resent e-mails, and charges that were looked up. */
export function atRisk({ calls, texts }: Books): Record<string, number> {
  const again = (target: string, operation: string) => {
    const times = new Map<string, number>();
    for (const call of calls)
      if (call.target === target && call.operation === operation && call.key !== null)
        times.set(call.key, (times.get(call.key) ?? 0) + 1);
    return [...times.values()].filter((count) => count > 1).length;
  };
  return {
    orders: again('pharmacy_a', 'order') + again('pharmacy_b', 'order'),
    cancellations: again('pharmacy_a', 'cancel') + again('pharmacy_b', 'cancel'),
    'charges (same key)': again('stripe', 'paymentIntents.create'),
    'charges (looked for)': calls.filter(({ operation }) => operation === 'paymentIntents.list').length,
    refunds: again('stripe', 'refunds.create'),
    labels: again('shipping', 'create'),
    mails: again('smtp', 'send'),
    'texts sent again (no key)': texts.length - new Set(texts.map(({ to, text }) => to + text)).size,
  };
}
