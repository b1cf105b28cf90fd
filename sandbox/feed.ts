import { Ledger } from './ledger.js';

interface Item {
  key: string;
  line: string;
}

/**
 * The newest entries of a ledger, for reading back. They are held as their JSON text, a fraction of the size of
 * the objects. The file is cut back to what is held once it has grown to four times that.
 */
export class Feed<T> {
  private items: Item[] = [];
  private readonly ledger: Ledger<T>;
  private linesInFile = 0;

  /**
   * @param keyOf what `list` can select by
   * @param keep how many entries are held
   */
  constructor(
    file: string,
    private readonly keyOf: (entry: T) => string,
    private readonly keep: number,
  ) {
    this.ledger = new Ledger<T>(file, (entry, line) => this.hold(entry, line));
  }

  add(entry: T): void {
    this.hold(entry, this.ledger.append(entry));
    if (this.linesInFile >= this.keep * 4) this.rewrite(this.items.slice(-this.keep));
  }

  /** The entries as the text of a JSON array, newest first. */
  list({ key, limit = this.keep }: { key?: string | undefined; limit?: number | undefined } = {}): string {
    const held = this.items.slice(-this.keep);
    const chosen = key === undefined ? held : held.filter((item) => item.key === key);
    return `[${chosen
      .slice(-limit)
      .map((item) => item.line)
      .reverse()
      .join(',')}]`;
  }

  clear(): void {
    this.rewrite([]);
  }

  close(): void {
    this.ledger.close();
  }

  private rewrite(items: Item[]): void {
    this.ledger.rewrite(items.map((item) => item.line));
    this.items = items;
    this.linesInFile = items.length;
  }

  private hold(entry: T, line: string): void {
    this.items.push({ key: this.keyOf(entry), line });
    this.linesInFile += 1;
    // Cut in bulk: dropping one entry per addition would move the whole array each time.
    if (this.items.length >= this.keep * 2) this.items = this.items.slice(-this.keep);
  }
}
