export type Pharmacy = 'pharmacy_a' | 'pharmacy_b';

/** One order that a pharmacy took, and all that became of it. Codes, reasons and texts are in its own words. */
export interface Order {
  pharmacy: Pharmacy;
  orderId: string;
  idempotencyKey: string;
  test: boolean;
  /** The order as received. */
  body: unknown;
  status: string;
  at: string;
  /** Oldest first; that it was placed is not among them. */
  moves: { status: string; at: string }[];
  trackingNumber?: string | undefined;
  carrier?: string | undefined;
  /** Oldest first. */
  holds: Hold[];
  /** Ids of holds, known or not: one whose release came first is never open. */
  releasedHolds: string[];
  /** How cancellations are answered, where somebody said so. */
  instruction: CancellationInstruction | null;
  /** The answers that keys of cancellations bring back. */
  cancellations: Cancellation[];
}

export interface Move {
  status: string;
  trackingNumber?: string | undefined;
  carrier?: string | undefined;
}

/** The pharmacy has stopped and asks something. */
interface Hold extends NewHold {
  state: 'open' | 'answered' | 'released';
  /** The call that answered it. */
  answered: HoldAnswer | null;
  /** When it was opened. */
  at: string;
}

export interface NewHold {
  id: string;
  code: string;
  message?: string | undefined;
  until?: string | undefined;
}

/** A call with an idempotency key: repeated, it gets the answer that it got at first. */
interface KeyedCall {
  idempotencyKey: string;
  body: unknown;
}

export interface HoldAnswer extends KeyedCall {
  answer: string;
}

export interface Cancellation extends KeyedCall {
  /** The word that it was denied with; null where it was approved. */
  denial: string | null;
}

export interface CancellationInstruction {
  answer: 'approve' | 'deny';
  reason?: string | undefined;
}

/** A pharmacy's words for why it does not cancel. */
export interface DenialWords {
  shipped: string;
  dispensed: string;
  other: string;
}

/** What happens to an order, as the ledger keeps it. */
export type Change =
  | { held: NewHold; at: string }
  | { releasedHold: string }
  | { answeredHold: string; by: HoldAnswer }
  | { instructed: CancellationInstruction }
  | { cancellation: Cancellation; at: string };

/** `in-transit` is what pharmacy_b calls a shipped order too. */
const SHIPPED = ['shipped', 'in-transit'];
const ENDS_HOLDS = [...SHIPPED, 'delivered', 'cancelled'];

/** The status as it is told to who asks: one of the five that both pharmacies know. */
export const toldStatus = ({ status }: Order): string => (SHIPPED.includes(status) ? 'shipped' : status);

export const openHold = ({ holds }: Order): Hold | undefined =>
  holds.findLast(({ state }) => state === 'open');

/** Whether a cancellation was approved: such an order moves no more. */
export const isCancelled = ({ cancellations }: Order): boolean =>
  cancellations.some(({ denial }) => denial === null);

/** The word that a cancellation is denied with at this moment; null approves it. */
export function denialOf(order: Order, words: DenialWords): string | null {
  const byStatus = { shipped: words.shipped, delivered: words.dispensed }[toldStatus(order)] ?? null;
  switch (order.instruction?.answer) {
    case undefined:
      return byStatus;
    case 'approve':
      return null;
    case 'deny':
      return order.instruction.reason ?? byStatus ?? words.other;
  }
}

export function moveOrder(order: Order, { status, trackingNumber, carrier }: Move, at: string): void {
  order.status = status;
  order.moves.push({ status, at });
  order.trackingNumber = trackingNumber ?? order.trackingNumber;
  order.carrier = carrier ?? order.carrier;
  if (ENDS_HOLDS.includes(status)) for (const hold of order.holds) hold.state = 'released';
}

export function changeOrder(order: Order, change: Change): void {
  if ('held' in change) {
    const state = order.releasedHolds.includes(change.held.id) ? 'released' : 'open';
    order.holds.push({ ...change.held, state, answered: null, at: change.at });
  } else if ('releasedHold' in change) {
    order.releasedHolds.push(change.releasedHold);
    for (const hold of order.holds) if (hold.id === change.releasedHold) hold.state = 'released';
  } else if ('answeredHold' in change) {
    const hold = order.holds.find(({ id }) => id === change.answeredHold);
    if (hold) Object.assign(hold, { state: 'answered', answered: change.by });
  } else if ('instructed' in change) {
    order.instruction = change.instructed;
  } else {
    order.cancellations.push(change.cancellation);
    if (change.cancellation.denial !== null) return;
    if (order.status !== 'cancelled') moveOrder(order, { status: 'cancelled' }, change.at);
    for (const hold of order.holds) hold.state = 'released';
  }
}
