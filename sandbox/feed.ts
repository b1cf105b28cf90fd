import { Ledger } from './ledger.js';

interface Item {
  key: string;
  line: string;
}

/** The newest entries of a ledger, as JSON text to save memory. The file is cut back once it is four times as long. */
export class Feed<T> {
  private items: Item[] = [];
  private readonly ledger: Ledger<T>;
  private linesInFile = 0;

  /**
   * @param keyOf the selector of `list`
   * @param keep the number of entries
   */
  constructor(
    file: string,
    private readonly keyOf: (entry: T) => string,
    private readonly keep: number,
  ) {
    this.ledger = new Ledger<T>(file, (entry, line) => this.hold(keyOf(entry), line));
  }

  add(entry: T): void {
    this.addLine(this.keyOf(entry), JSON.stringify(entry));
  }

  /** Adds an entry that is JSON already. */
  addLine(key: string, line: string): void {
    this.ledger.appendLine(line);
    this.hold(key, line);
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

  private hold(key: string, line: string): void {
    this.items.push({ key, line });
    this.linesInFile += 1;
    // Cut in bulk, because dropping one entry at a time would move the whole array.
    if (this.items.length >= this.keep * 2) this.items = this.items.slice(-this.keep);
  }
}
