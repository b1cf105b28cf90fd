export type Pharmacy = 'pharmacy_a' | 'pharmacy_b';

/** An order at a pharmacy with its history. Codes, reasons and texts are the pharmacy's. */
export interface Order {
  pharmacy: Pharmacy;
  orderId: string;
  idempotencyKey: string;
  test: boolean;
  /** The order as received. */
  body: unknown;
  status: string;
  at: string;
  /** Oldest first, without the placing. */
  moves: { status: string; at: string }[];
  trackingNumber?: string | undefined;
  carrier?: string | undefined;
  /** Oldest first. */
  holds: Hold[];
  /** Ids of released holds, known or not: a hold whose release came first never opens. */
  releasedHolds: string[];
  /** The answer to cancellations, if the control API set one. */
  instruction: CancellationInstruction | null;
  /** Recorded answers by the key of a cancellation. */
  cancellations: Cancellation[];
  /** The pharmacy does not know it, because the control API said so. */
  forgotten: boolean;
}

export interface Move {
  status: string;
  trackingNumber?: string | undefined;
  carrier?: string | undefined;
}

/** The pharmacy has paused the order and asks a question. */
interface Hold extends NewHold {
  state: 'open' | 'answered' | 'released';
  /** The call that answered it. */
  answered: HoldAnswer | null;
  at: string;
}

export interface NewHold {
  id: string;
  code: string;
  message?: string | undefined;
  until?: string | undefined;
}

/** A call with an idempotency key: a repeat gets the first answer. */
interface KeyedCall {
  idempotencyKey: string;
  body: unknown;
}

export interface HoldAnswer extends KeyedCall {
  answer: string;
}

export interface Cancellation extends KeyedCall {
  /** The reason for the denial; null if approved. */
  denial: string | null;
}

export interface CancellationInstruction {
  answer: 'approve' | 'deny';
  reason?: string | undefined;
}

/** A pharmacy's reasons for a denial. */
export interface DenialWords {
  shipped: string;
  dispensed: string;
  other: string;
}

/** An event of an order in the ledger. */
export type Change =
  | { held: NewHold; at: string }
  | { releasedHold: string }
  | { answeredHold: string; by: HoldAnswer }
  | { instructed: CancellationInstruction }
  | { forgotten: true }
  | { cancellation: Cancellation; at: string };

/** pharmacy_b calls a shipped order `in-transit`. */
const SHIPPED = ['shipped', 'in-transit'];
const ENDS_HOLDS = [...SHIPPED, 'delivered', 'cancelled'];

/** The status in answers: one of the five that both pharmacies have. */
export const toldStatus = ({ status }: Order): string => (SHIPPED.includes(status) ? 'shipped' : status);

/** When the order left the pharmacy; undefined before. */
export const shippedAt = ({ moves }: Order): string | undefined =>
  moves.find(({ status }) => [...SHIPPED, 'delivered'].includes(status))?.at;

export const openHold = ({ holds }: Order): Hold | undefined =>
  holds.findLast(({ state }) => state === 'open');

/** True after an approved cancellation; such an order never changes again. */
export const isCancelled = ({ cancellations }: Order): boolean =>
  cancellations.some(({ denial }) => denial === null);

/** The reason for which a cancellation is denied now; null approves it. */
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
  } else if ('forgotten' in change) {
    order.forgotten = true;
  } else {
    order.cancellations.push(change.cancellation);
    if (change.cancellation.denial !== null) return;
    if (order.status !== 'cancelled') moveOrder(order, { status: 'cancelled' }, change.at);
    for (const hold of order.holds) hold.state = 'released';
  }
}
