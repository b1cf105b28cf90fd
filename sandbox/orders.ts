import { isDeepStrictEqual } from 'node:util';
import { randomBytes } from 'node:crypto';
import { Ledger, now } from './ledger.js';

export type Pharmacy = 'pharmacy_a' | 'pharmacy_b';

/** One accepted order, as `GET /_sandbox/orders` shows it. */
export interface Order {
  pharmacy: Pharmacy;
  orderId: string;
  idempotencyKey: string;
  test: boolean;
  /** The order as received. */
  body: unknown;
  status: string;
  at: string;
}

type Line = { placed: Order } | { moved: { orderId: string; status: string } };

/** The orders of both pharmacies. A key is an order's for good: repeated, it finds the first one. */
export class OrderBook {
  private readonly byId = new Map<string, Order>();
  private readonly byKey = new Map<string, Order>();
  private readonly ledger: Ledger<Line>;

  constructor(file: string) {
    this.ledger = new Ledger<Line>(file, (line) => this.apply(line));
  }

  /** The order made, the one that this key made before, or `conflict` when that one had another body. */
  place(order: Pick<Order, 'pharmacy' | 'idempotencyKey' | 'test' | 'body'>): Order | 'conflict' {
    const earlier = this.byKey.get(keyOf(order));
    if (earlier) return isDeepStrictEqual(earlier.body, order.body) ? earlier : 'conflict';
    const orderId = `${order.pharmacy === 'pharmacy_a' ? 'case' : 'rx'}_${randomBytes(8).toString('hex')}`;
    const placed: Order = { ...order, orderId, status: 'received', at: now() };
    this.write({ placed });
    return placed;
  }

  find(pharmacy: Pharmacy, orderId: string): Order | undefined {
    const order = this.byId.get(orderId);
    return order?.pharmacy === pharmacy ? order : undefined;
  }

  move(order: Order, status: string): void {
    this.write({ moved: { orderId: order.orderId, status } });
  }

  /** Newest first. */
  list({ pharmacy, limit }: { pharmacy?: string | undefined; limit?: number | undefined }): Order[] {
    return [...this.byId.values()]
      .filter((order) => pharmacy === undefined || order.pharmacy === pharmacy)
      .reverse()
      .slice(0, limit);
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
      const order = { ...line.placed };
      this.byId.set(order.orderId, order);
      this.byKey.set(keyOf(order), order);
      return;
    }
    const order = this.byId.get(line.moved.orderId);
    if (order) order.status = line.moved.status;
  }
}

const keyOf = (order: Pick<Order, 'pharmacy' | 'idempotencyKey' | 'test'>): string =>
  `${order.pharmacy} ${order.test} ${order.idempotencyKey}`;
