import type { Books } from './books.js';
import type { CloseLine } from './closes.js';
import {
  chargesOf,
  type Class,
  type Evidence,
  labelsOf,
  ordersOf,
  priceCents,
  referencesOf,
  wasLost,
} from './records.js';
import type { Case, Reference } from './stories.js';

/** A line that the books lead to, and the explanations that they allow; none: a difference. */
interface Expected {
  kind: string;
  because: readonly string[];
}
type FindAt = (kind: Class, what: string, about: string) => void;

const withoutCloses: readonly string[] = ['submit', 'intake', 'create'];
const grouped = <T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
};
/** Orders again stand under the reference of the first. */
const taskOf = ({ reference }: Reference): string => reference.split('#')[0]!;

/**
 * Derives the lines of the closes from the books of the external services, and compares them one by one (D131, D132).
 * In the end every line is in order or explained.
 */
export function judgeClose(evidence: Evidence, find: FindAt): void {
  const { closed } = evidence;
  if (!closed) return;
  const expected = linesOf(evidence);
  const actual = grouped(closed.lines, ({ reference }) => reference);
  for (const reference of new Set([...expected.keys(), ...actual.keys()])) {
    const said = (actual.get(reference) ?? []).map(wordsOf).sort();
    const led = expected.get(reference);
    if (!led || !isSame(led, actual.get(reference) ?? []))
      find('unlike the close', `${said.join(', ') || 'no line'}, not ${shown(led)}`, reference);
  }
  for (const { reference, kind, state } of closed.lines)
    if (state === 'difference') find('unlike the close', `a difference: ${kind}`, reference);
  judgeTotals(evidence, find);
}

const wordsOf = ({ state, kind, because }: CloseLine): string =>
  [state, kind, because].filter((word) => word !== null).join(' ');
const shown = (led: readonly Expected[] | undefined): string =>
  led?.map(({ kind, because }) => `${kind} ${because.join('|') || 'unexplained'}`).join(', ') ??
  'known to the books';

/** A day has its differences of a task or one matched line. What happens on two days has lines on both. */
function isSame(led: readonly Expected[], lines: readonly CloseLine[]): boolean {
  const differing = lines.filter(({ state }) => state !== 'matched');
  const matchedOn = lines.filter(({ state }) => state === 'matched').map(({ date }) => date);
  const isOnePerDay =
    new Set(matchedOn).size === matchedOn.length && !differing.some(({ date }) => matchedOn.includes(date));
  return (
    lines.length > 0 &&
    isOnePerDay &&
    led.length === differing.length &&
    led.every(({ kind, because }) => {
      const line = differing.find((one) => one.kind === kind);
      return because.length === 0
        ? line?.state === 'difference'
        : line?.state === 'explained' && because.includes(line.because ?? '');
    })
  );
}

function linesOf(evidence: Evidence): Map<string, Expected[]> {
  const { cases, books } = evidence;
  const lines = new Map<string, Expected[]>();
  const known = new Set<object>();
  for (const one of cases.filter(({ kind }) => !withoutCloses.includes(kind)))
    for (const [task, references] of grouped(referencesOf(one), taskOf)) {
      const charges = references.flatMap((reference) => chargesOf(reference, books));
      for (const charge of charges) known.add(charge);
      // An order that the pharmacy lost is nobody's once it is ordered again, and so is its label.
      const all = references.filter((reference) => ordersOf(reference, books).length > 0);
      const lost = all.filter((reference) => ordersOf(reference, books).every(wasLost));
      const placed = lost.length < all.length ? all.filter((one) => !lost.includes(one)) : all;
      for (const reference of lost.filter((one) => !placed.includes(one)))
        if (labelsOf(reference, books).size > 0)
          lines.set(reference.submissionId, [{ kind: 'label_without_order', because: ['cancelled'] }]);
      if (placed.length + charges.length > 0)
        lines.set(task, linesOfTask(one, { task, placed, charges }, books));
    }
  for (const charge of evidence.books.charges)
    if (!known.has(charge) && Date.parse(charge.at) > evidence.sinceMs)
      lines.set(charge.id, [{ kind: 'charge_not_ours', because: [] }]);
  const submissions = new Set(cases.flatMap(referencesOf).map(({ submissionId }) => submissionId));
  for (const { target, about, made } of books.calls)
    if (target === 'shipping' && made && !submissions.has(about))
      lines.set(about, [{ kind: 'label_without_order', because: [] }]);
  return lines;
}

interface Found {
  task: string;
  placed: Reference[];
  charges: Books['charges'];
}

function linesOfTask(known: Case, { task, placed, charges }: Found, books: Books): Expected[] {
  const lines: Expected[] = [];
  const differ = (kind: string, ...because: string[]) => lines.push({ kind, because });
  const orders = placed.flatMap((one) => ordersOf(one, books));
  const isCancelled =
    known.cancelled ||
    (orders.length > 0 && orders.every(({ moves }) => moves.some(({ status }) => status === 'cancelled')));
  const refundedCents = books.refunds
    .filter(({ metadata }) => metadata['task_id'] === task)
    .reduce((sum, { amountCents }) => sum + amountCents, 0);

  if (orders.length > 0 && charges.length === 0) {
    if (isCancelled) differ('order_without_charge', 'cancelled');
    else if (task.includes('~') && !known.isPatients) differ('order_without_charge', 'replacement');
    else differ('order_without_charge', 'unpaid', 'settling');
  }
  for (const { amountCents } of charges.slice(0, 1)) {
    if (amountCents !== priceCents) differ('charge_amount');
    if (orders.length === 0) differ('charge_without_order');
  }
  for (const _more of charges.slice(1)) differ('charge_not_ours');
  if (refundedCents > 0 && !isCancelled) differ('refund_not_ours');
  if (isCancelled && charges.length > 0 && refundedCents !== priceCents)
    differ(refundedCents === 0 ? 'refund_missing_there' : 'refund_amount');

  const labels = placed.map((one) => labelsOf(one, books).size);
  if (orders.length > 0 && labels.every((count) => count === 0)) {
    // Only this pharmacy's orders to New York get their label from us.
    const isOurs = known.shipTo.state === 'NY' && orders.some(({ pharmacy }) => pharmacy === 'pharmacy_a');
    if (isCancelled) differ('order_without_label', 'cancelled');
    else if (isOurs) differ('order_without_label', 'settling');
    else differ('order_without_label', 'ships_later', 'settling');
  }
  if (labels.some((count) => count > Math.max(1, known.parcels.length))) differ('label_twice');
  return lines;
}

function judgeTotals({ books, cases, closed, sinceMs }: Evidence, find: FindAt): void {
  const isNew = ({ at }: { at: string }) => Date.parse(at) > sinceMs;
  const sum = (all: readonly { amountCents: number }[]) =>
    all.reduce((total, { amountCents }) => total + amountCents, 0);
  const [charges, refunds] = [books.charges.filter(isNew), books.refunds.filter(isNew)];
  const own = cases.filter(({ kind }) => !withoutCloses.includes(kind)).flatMap(referencesOf);
  const counted = {
    charges: charges.length,
    chargedCents: sum(charges),
    refundedCents: sum(refunds),
    labels: new Set(
      books.calls.flatMap(({ target, made }) => (target === 'shipping' && made !== null ? made : [])),
    ).size,
    orders: own.filter((one) => ordersOf(one, books).some((order) => !wasLost(order))).length,
  };
  for (const [name, count] of Object.entries(counted)) {
    const said = closed?.totals[name as keyof typeof counted];
    if (said !== count) find('unlike the close', `${name}: ${said}, not ${count}`, 'the totals');
  }
}
