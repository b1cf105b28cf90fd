import type { CalendarDay } from '../calendar.js';
import type { CloseLine } from './daily-close.js';

/** The kinds of a statement's lines that are not matched (D133). */
export const billKinds = ['bill_without_order', 'bill_twice', 'bill_amount', 'order_not_billed'] as const;
type BillKind = (typeof billKinds)[number];

export type StatementLine = Omit<CloseLine, 'kind'> & { kind: BillKind | null };

export interface Bill {
  /** The place in the statement that is judged, from 0; null in another statement of the pharmacy. */
  n: number | null;
  /** A credit is negative. */
  amountCents: number;
  /** As the bill states it. */
  shippedOn: CalendarDay | null;
  /** The same, or else the first day of the statement. */
  day: CalendarDay;
}

interface BilledOrder {
  submissionId: string;
  /** Null for an order of another client of the router. */
  reference: string | null;
  taskId: string | null;
  status: string;
  shippedOn: CalendarDay | null;
  /** Shipped by this pharmacy on the days of the statement. */
  isDue: boolean;
  /** Who pays for a replacement; null for any other order. */
  paidBy: string | null;
}

/** All that is known under one order id of a pharmacy. */
export interface BilledId {
  pharmacyOrderId: string;
  /** Null where nobody ordered. */
  order: BilledOrder | null;
  /** All statements of the pharmacy, in the order of their posting. */
  bills: readonly Bill[];
  /** The price that holds on a day; null where none is known. */
  priceOn: (day: CalendarDay) => number | null;
}

/**
 * Judges one order id. Each bill of the statement gets a line, and so does an order that nobody billed (D133). The
 * lines add up to the statement's total. A credit takes back the newest bill of its amount; any other is a part of the
 * first bill.
 */
export function judgeBills(id: BilledId): StatementLine[] {
  const { pharmacyOrderId, order, bills, priceOn } = id;
  const ours = order && {
    submissionId: order.submissionId,
    pharmacyOrderId,
    ...(order.shippedOn !== null && { shippedOn: order.shippedOn }),
  };
  const common = {
    reference: order?.reference ?? order?.submissionId ?? pharmacyOrderId,
    taskId: order?.taskId ?? null,
  };
  const { standing, credits, takenBack } = settleCredits(bills);
  const isThere = order !== null && isFilled(order);
  const [first] = standing;

  const lines = bills.flatMap((bill): StatementLine[] => {
    if (bill.n === null) return [];
    const theirs = {
      pharmacyOrderId,
      line: bill.n,
      amountCents: bill.amountCents,
      ...(bill.shippedOn !== null && { shippedOn: bill.shippedOn }),
    };
    const line = (kind: BillKind | null, own: StatementLine['ours'] = ours): StatementLine[] => [
      { ...common, state: kind ? 'difference' : 'matched', kind, because: null, ours: own, theirs },
    ];
    if (takenBack.has(bill)) return line(null);
    if (!isThere) return line('bill_without_order');
    if (credits.includes(bill)) return line(null);
    if (bill !== first) return line('bill_twice');
    const priceCents = priceOn(bill.day);
    if (priceCents === null) return line(null);
    const billedCents = sumOf([bill, ...credits]);
    return line(billedCents === priceCents ? null : 'bill_amount', { ...ours, priceCents });
  });
  if (!order?.isDue || bills.some(({ amountCents }) => amountCents >= 0)) return lines;
  const because =
    order.status === 'cancelled' ? 'cancelled' : order.paidBy === 'pharmacy' ? 'replacement' : null;
  const state = because ? 'explained' : 'difference';
  return [...lines, { ...common, state, kind: 'order_not_billed', because, ours, theirs: null }];
}

/** A pharmacy bills for an order that it has not lost, nor cancelled before it shipped. */
const isFilled = ({ status, shippedOn }: BilledOrder): boolean =>
  shippedOn !== null || (status !== 'cancelled' && status !== 'failed');

const sumOf = (bills: readonly Bill[]): number =>
  bills.reduce((sum, { amountCents }) => sum + amountCents, 0);

function settleCredits(bills: readonly Bill[]) {
  const standing = bills.filter(({ amountCents }) => amountCents >= 0);
  const credits: Bill[] = [];
  const takenBack = new Set<Bill>();
  for (const credit of bills.filter(({ amountCents }) => amountCents < 0)) {
    const at = standing.findLastIndex(({ amountCents }) => amountCents === -credit.amountCents);
    if (at === -1) credits.push(credit);
    else for (const bill of [credit, ...standing.splice(at, 1)]) takenBack.add(bill);
  }
  return { standing, credits, takenBack };
}

export interface Price {
  article: string;
  from: CalendarDay;
  cents: number;
}

/** The price of an article that holds on a day: the newest that began by then. */
export function priceOf(prices: readonly Price[], article: string | null, day: CalendarDay): number | null {
  const begun = prices.filter((price) => price.article === article && price.from <= day);
  return begun.toSorted((one, other) => (one.from < other.from ? 1 : -1))[0]?.cents ?? null;
}
