import { appendFileSync, closeSync, mkdirSync, openSync, readSync, renameSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/**
 * An append-only file of JSON lines. `append` writes before it returns, so an answered call survives SIGKILL. Opening
 * drops a last line that a kill cut short, because its caller got no answer.
 */
export class Ledger<T> {
  private fd: number;

  /** @param replay receives every existing entry with its line, oldest first */
  constructor(
    private readonly file: string,
    replay: (entry: T, line: string) => void,
  ) {
    mkdirSync(dirname(file), { recursive: true });
    this.fd = openSync(file, 'a+');
    const wholeBytes = readLines(this.fd, (line) => replay(JSON.parse(line) as T, line));
    truncateSync(file, wholeBytes);
  }

  append(entry: T): void {
    this.appendLine(JSON.stringify(entry));
  }

  /** Adds an entry that is JSON already, without a newline. */
  appendLine(line: string): void {
    appendFileSync(this.fd, `${line}\n`);
  }

  /** Replaces the whole file atomically. */
  rewrite(lines: readonly string[]): void {
    const draft = `${this.file}.new`;
    const fd = openSync(draft, 'w');
    for (const line of lines) appendFileSync(fd, `${line}\n`);
    closeSync(fd);
    renameSync(draft, this.file);
    closeSync(this.fd);
    this.fd = openSync(this.file, 'a');
  }

  close(): void {
    closeSync(this.fd);
  }
}

/** Reads in chunks, because a ledger may exceed the longest string. @returns the bytes up to the last newline */
function readLines(fd: number, each: (line: string) => void): number {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  let wholeBytes = 0;
  for (;;) {
    const length = readSync(fd, chunk, 0, CHUNK_BYTES, wholeBytes + rest.length);
    if (length === 0) return wholeBytes;
    rest = Buffer.concat([rest, chunk.subarray(0, length)]);
    let start = 0;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE, start)) {
      each(rest.toString('utf8', start, end));
      start = end + 1;
    }
    rest = rest.subarray(start);
    wholeBytes += start;
  }
}

export const now = (): string => new Date().toISOString();
