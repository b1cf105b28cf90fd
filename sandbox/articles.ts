import { Ledger } from './ledger.js';
import type { Pharmacy } from './order.js';

const builtIn: Record<Pharmacy, readonly string[]> = {
  pharmacy_a: ['12565', '12850', '12832'],
  pharmacy_b: ['PB-SEMA-5', 'PB-TIRZ-17'],
};

interface Added {
  pharmacy: Pharmacy;
  article: string;
}

/** The articles that each pharmacy takes orders for. None is ever removed. */
export class ArticleBook {
  private readonly known = {
    pharmacy_a: new Set(builtIn.pharmacy_a),
    pharmacy_b: new Set(builtIn.pharmacy_b),
  };
  private readonly ledger: Ledger<Added>;

  constructor(file: string) {
    this.ledger = new Ledger<Added>(file, ({ pharmacy, article }) => this.known[pharmacy].add(article));
  }

  list(pharmacy: Pharmacy): string[] {
    return [...this.known[pharmacy]];
  }

  has(pharmacy: Pharmacy, article: string): boolean {
    return this.known[pharmacy].has(article);
  }

  add(pharmacy: Pharmacy, article: string): void {
    if (this.has(pharmacy, article)) return;
    this.ledger.append({ pharmacy, article });
    this.known[pharmacy].add(article);
  }

  close(): void {
    this.ledger.close();
  }
}
