/** The kinds of lines that are not matched (D132). */
export const differenceKinds = [
  'order_without_charge',
  'charge_without_order',
  'charge_not_ours',
  'charge_missing_there',
  'charge_amount',
  'refund_not_ours',
  'refund_missing_there',
  'refund_amount',
  'order_without_label',
  'label_without_order',
  'label_twice',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** Explanations of a line, in this order. */
export const explanations = [
  'cancelled',
  'replacement',
  'coupon',
  'waived',
  'unpaid',
  'settling',
  'ships_later',
] as const;
type Explanation = (typeof explanations)[number];

export const lineStates = ['matched', 'explained', 'difference'] as const;

type Facts = Record<string, string | number>;

export interface CloseLine {
  /** Our order's id, or the external service's. */
  reference: string;
  taskId: string | null;
  state: (typeof lineStates)[number];
  kind: DifferenceKind | null;
  because: Explanation | null;
  ours: Facts | null;
  theirs: Facts | null;
}

export interface CloseFact {
  kind: 'order' | 'charge' | 'refund' | 'label' | 'payment' | 'repaid';
  id: string;
  /** Belongs to the close that is made; others stand in earlier or later closes. */
  isFresh: boolean;
  /** The charge of a refund, the intent of a charge, the status of an order. */
  detail: string | null;
  cents: number;
}

/** All that is known of one reference. */
export interface Books {
  reference: string;
  taskId: string | null;
  facts: readonly CloseFact[];
  payment: {
    status: 'pending' | 'succeeded' | 'failed';
    intentId: string | null;
    amountCents: number;
    refundedCents: number;
    hasCoupon: boolean;
  } | null;
  recovery: 'open' | 'paid' | 'cancelled' | 'unpaid' | null;
  isCancelled: boolean;
  /** Who pays for a replacement; null for any other order. */
  paidBy: string | null;
  /** An answer about the order is still out (D114). */
  isSettling: boolean;
  /** An answer about its label is. */
  isLabelOut: boolean;
  /** The pharmacy makes the label when it ships. */
  awaitsPharmacy: boolean;
  /** Ids of the labels and parcels that our rows name. */
  labelIds: readonly string[];
}

const idsOf = (facts: readonly CloseFact[]): string => facts.map(({ id }) => id).join(' ');
const sumOf = (facts: readonly CloseFact[]): number => facts.reduce((total, { cents }) => total + cents, 0);

/** Judges one reference: a line for each difference, else one matched line (D131, D132). */
export function judge(books: Books): CloseLine[] {
  const { reference, taskId, payment } = books;
  const of = (kind: CloseFact['kind']) => books.facts.filter((fact) => fact.kind === kind);
  const isNew = (kind: CloseFact['kind']) => of(kind).some(({ isFresh }) => isFresh);
  const [orders, charges, refunds, labels] = [of('order'), of('charge'), of('refund'), of('label')];
  const lines: CloseLine[] = [];
  const differ = (
    kind: DifferenceKind,
    ours: Facts | null,
    theirs: Facts | null,
    because: readonly Explanation[] = [],
  ) => {
    const [reason = null] = explanationsOf(books, kind).filter((one) => because.includes(one));
    lines.push({
      reference,
      taskId,
      state: reason ? 'explained' : 'difference',
      kind,
      because: reason,
      ours,
      theirs,
    });
  };
  const order = orders.length > 0 ? { orders: idsOf(orders) } : null;
  const paid = payment && {
    amountCents: payment.amountCents,
    status: payment.status,
    ...(payment.intentId !== null && { paymentIntentId: payment.intentId }),
  };
  const isPaid = payment?.status === 'succeeded';
  const own = charges.filter(({ detail }) => isPaid && detail !== null && detail === payment.intentId);

  if (isNew('order') && !isPaid) {
    differ('order_without_charge', order, null, ['cancelled', 'replacement', 'waived', 'unpaid', 'settling']);
  } else if (isNew('order') && payment?.amountCents === 0 && payment.hasCoupon) {
    differ('order_without_charge', order, null, ['cancelled', 'replacement', 'coupon']);
  }
  for (const charge of charges.filter(({ isFresh }) => isFresh)) {
    const theirs = { charge: charge.id, amountCents: charge.cents };
    if (!own.includes(charge)) {
      // A charge that was refunded in full belongs to nobody any more.
      if (sumOf(refunds.filter(({ detail }) => detail === charge.id)) < charge.cents)
        differ('charge_not_ours', paid, theirs, payment?.status === 'pending' ? ['settling'] : []);
      continue;
    }
    if (charge.cents !== payment?.amountCents) differ('charge_amount', paid, theirs);
    if (orders.length === 0) differ('charge_without_order', paid, theirs, ['cancelled', 'settling']);
  }
  const isDue = isPaid && payment.amountCents > 0;
  if ((isNew('payment') || (isNew('order') && isDue)) && isDue && own.length === 0)
    differ('charge_missing_there', paid, null);

  if (isNew('refund') || isNew('repaid')) {
    const refundedCents = sumOf(refunds);
    const ourCents = payment?.refundedCents ?? 0;
    const ours = payment && { refundedCents: ourCents };
    const theirs = { refunds: idsOf(refunds), refundedCents };
    const isOverWhole = !payment && charges.length > 0 && refundedCents === sumOf(charges);
    if (refundedCents !== ourCents && !isOverWhole) {
      if (ourCents === 0) differ('refund_not_ours', ours, theirs);
      else if (refundedCents === 0) differ('refund_missing_there', ours, null);
      else differ('refund_amount', ours, theirs);
    }
  }

  if (isNew('order') && labels.length === 0)
    differ('order_without_label', order, null, ['cancelled', 'settling', 'ships_later']);
  if (isNew('label')) {
    const theirs = { shipments: idsOf(labels) };
    if (orders.length === 0) differ('label_without_order', null, theirs, ['cancelled']);
    const known = new Set(books.labelIds);
    const others = labels.filter(({ id }) => !known.has(id));
    const isTwice = labels.length > 1 && (known.size > 0 ? others.length > 0 : true);
    if (orders.length > 0 && isTwice) differ('label_twice', { shipments: [...known].join(' ') }, theirs);
  }
  if (lines.length > 0) return lines;
  const sums = {
    ...(charges.length > 0 && { amountCents: sumOf(charges) }),
    ...(refunds.length > 0 && { refundedCents: sumOf(refunds) }),
    ...(labels.length > 0 && { shipments: idsOf(labels) }),
  };
  const ours = { ...order, ...paid };
  return [
    {
      reference,
      taskId,
      state: 'matched',
      kind: null,
      because: null,
      ours: Object.keys(ours).length > 0 ? ours : null,
      theirs: Object.keys(sums).length > 0 ? sums : null,
    },
  ];
}

function explanationsOf(books: Books, difference: DifferenceKind): Explanation[] {
  const { isCancelled, paidBy, payment, recovery, isSettling, isLabelOut, awaitsPharmacy, facts } = books;
  const orders = facts.filter(({ kind }) => kind === 'order');
  const holds: Record<Explanation, boolean> = {
    cancelled: isCancelled || (orders.length > 0 && orders.every(({ detail }) => detail === 'cancelled')),
    replacement: paidBy !== null && paidBy !== 'patient',
    coupon: payment?.hasCoupon === true && payment.amountCents === 0,
    waived: recovery === 'cancelled',
    unpaid: recovery === 'open',
    settling:
      isSettling || (difference === 'order_without_label' ? isLabelOut : payment?.status === 'pending'),
    ships_later: awaitsPharmacy,
  };
  return explanations.filter((one) => holds[one]);
}

/** The totals of the external services for a day, ours or not. */
export interface CloseTotals {
  orders: number;
  charges: number;
  chargedCents: number;
  refundedCents: number;
  labels: number;
}
