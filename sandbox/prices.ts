import { Ledger } from './ledger.js';
import type { Pharmacy } from './order.js';

interface Price {
  pharmacy: Pharmacy;
  article: string;
  cents: number;
}

/** The price of an order unless the control API set another. */
const USUAL_CENTS = 8_000;

/** The price that each pharmacy bills for an order of an article. */
export class PriceBook {
  private readonly known = {
    pharmacy_a: new Map<string, number>(),
    pharmacy_b: new Map<string, number>(),
  };
  private readonly ledger: Ledger<Price>;

  constructor(file: string) {
    this.ledger = new Ledger<Price>(file, (price) => this.apply(price));
  }

  /** The prices that were set. */
  list(pharmacy: Pharmacy): Omit<Price, 'pharmacy'>[] {
    return Array.from(this.known[pharmacy], ([article, cents]) => ({ article, cents }));
  }

  centsOf(pharmacy: Pharmacy, article: string): number {
    return this.known[pharmacy].get(article) ?? USUAL_CENTS;
  }

  set(price: Price): void {
    this.ledger.append(price);
    this.apply(price);
  }

  close(): void {
    this.ledger.close();
  }

  private apply({ pharmacy, article, cents }: Price): void {
    this.known[pharmacy].set(article, cents);
  }
}
