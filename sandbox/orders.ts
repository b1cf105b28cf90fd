import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Ledger, now } from './ledger.js';
import {
  changeOrder,
  denialOf,
  isCancelled,
  moveOrder,
  type Cancellation,
  type CancellationInstruction,
  type Change,
  type DenialWords,
  type HoldAnswer,
  type Move,
  type NewHold,
  type Order,
  type Pharmacy,
} from './order.js';

type Placed = Pick<Order, 'pharmacy' | 'orderId' | 'idempotencyKey' | 'test' | 'body' | 'status' | 'at'>;

type Line =
  { placed: Placed } | { moved: { orderId: string; at: string } & Move } | ({ orderId: string } & Change);

/** The orders of both pharmacies. A key belongs to its order for ever: a repeat finds the first order. */
export class OrderBook {
  private readonly byId = new Map<string, Order>();
  private readonly byKey = new Map<string, Order>();
  private readonly ledger: Ledger<Line>;

  constructor(file: string) {
    this.ledger = new Ledger<Line>(file, (line) => this.apply(line));
  }

  /** Creates the order or returns the key's existing one; `conflict` if that had another body. */
  place(order: Pick<Order, 'pharmacy' | 'idempotencyKey' | 'test' | 'body'>): Placed | 'conflict' {
    const earlier = this.byKey.get(keyOf(order));
    if (earlier) return isDeepStrictEqual(earlier.body, order.body) ? earlier : 'conflict';
    const orderId = `${order.pharmacy === 'pharmacy_a' ? 'case' : 'rx'}_${randomBytes(8).toString('hex')}`;
    const placed: Placed = { ...order, orderId, status: 'received', at: now() };
    this.write({ placed });
    return placed;
  }

  find(pharmacy: Pharmacy, orderId: string): Order | undefined {
    const order = this.byId.get(orderId);
    return order?.pharmacy === pharmacy ? order : undefined;
  }

  /** All orders of one variant, oldest first. */
  placedAt(pharmacy: Pharmacy, test: boolean): Order[] {
    return [...this.byId.values()].filter((order) => order.pharmacy === pharmacy && order.test === test);
  }

  /** @returns true if the status changed; it never does after an approved cancellation, or once forgotten */
  move(order: Order, move: Move): boolean {
    if (isCancelled(order) || order.forgotten) return false;
    this.write({ moved: { orderId: order.orderId, ...move, at: now() } });
    return true;
  }

  /** Opens a hold; a known one does not change. */
  hold({ orderId, holds }: Order, held: NewHold): void {
    if (!holds.some(({ id }) => id === held.id)) this.write({ orderId, held, at: now() });
  }

  release({ orderId }: Order, releasedHold: string): void {
    this.write({ orderId, releasedHold });
  }

  /** Sets the answer to this order's later cancellations. */
  instruct({ orderId }: Order, instructed: CancellationInstruction): void {
    this.write({ orderId, instructed });
  }

  /** The pharmacy does not know the order. */
  forget({ orderId }: Order): void {
    this.write({ orderId, forgotten: true });
  }

  /** Records the one answer to a hold, or returns the error; `conflict`: the key has another answer. */
  answerHold(
    { orderId, holds }: Order,
    holdId: string,
    by: HoldAnswer,
  ): 'taken' | 'unknown' | 'closed' | 'conflict' {
    const hold = holds.find(({ id }) => id === holdId);
    if (!hold) return 'unknown';
    if (hold.answered?.idempotencyKey === by.idempotencyKey) {
      return isDeepStrictEqual(hold.answered.body, by.body) ? 'taken' : 'conflict';
    }
    if (hold.state !== 'open') return 'closed';
    this.write({ orderId, answeredHold: holdId, by });
    return 'taken';
  }

  /** Decides on a cancellation once per key; `conflict`: the key had another body. */
  cancel(
    order: Order,
    { idempotencyKey, body }: Pick<Cancellation, 'idempotencyKey' | 'body'>,
    words: DenialWords,
  ): Cancellation | 'conflict' {
    const earlier = order.cancellations.find((other) => other.idempotencyKey === idempotencyKey);
    if (earlier) return isDeepStrictEqual(earlier.body, body) ? earlier : 'conflict';
    const cancellation = { idempotencyKey, body, denial: denialOf(order, words) };
    this.write({ orderId: order.orderId, cancellation, at: now() });
    return cancellation;
  }

  /** The rows of `GET /_sandbox/orders`, newest first. */
  list({ pharmacy, limit }: { pharmacy?: string | undefined; limit?: number | undefined }) {
    return [...this.byId.values()]
      .filter((order) => pharmacy === undefined || order.pharmacy === pharmacy)
      .reverse()
      .slice(0, limit)
      .map(({ pharmacy, orderId, idempotencyKey, test, body, status, at, moves, holds, forgotten }) => ({
        pharmacy,
        orderId,
        idempotencyKey,
        test,
        body,
        status,
        at,
        moves,
        holds: holds.map(({ id, code, state, answered, at }) => ({
          id,
          code,
          state,
          answer: answered?.answer ?? null,
          at,
        })),
        ...(forgotten && { forgotten }),
      }));
  }

  close(): void {
    this.ledger.close();
  }

  private write(line: Line): void {
    this.ledger.append(line);
    this.apply(line);
  }

  private apply(line: Line): void {
    if ('placed' in line) {
      const { placed } = line;
      const order: Order = {
        ...placed,
        moves: [],
        holds: [],
        releasedHolds: [],
        instruction: null,
        cancellations: [],
        forgotten: false,
      };
      this.byId.set(order.orderId, order);
      this.byKey.set(keyOf(order), order);
      return;
    }
    const order = this.byId.get('moved' in line ? line.moved.orderId : line.orderId);
    if (!order) return;
    if ('moved' in line) moveOrder(order, line.moved, line.moved.at);
    else changeOrder(order, line);
  }
}

const keyOf = (order: Pick<Order, 'pharmacy' | 'idempotencyKey' | 'test'>): string =>
  `${order.pharmacy} ${order.test} ${order.idempotencyKey}`;
