export const csvType = 'text/csv; charset=utf-8';

/** True if the caller wants CSV. */
export const wantsCsv = ({ accept }: { accept?: string | undefined }): boolean =>
  /\btext\/csv\b/i.test(accept ?? '');

/** One line of RFC 4180. A cell that a spreadsheet would compute gets an apostrophe, but no number does. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`;

function cellOf(value: string): string {
  const text = /^(?!-\d+$)[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text that is no CSV. */
export class MalformedCsv extends Error {
  override name = 'MalformedCsv';
  constructor(
    /** The record that is cut short or wrongly quoted, from 0 with the header. */
    readonly record: number,
  ) {
    super('Malformed CSV');
  }
}

const after = /,|\r?\n|$/y;
const special = /[",\r\n]/g;

/** The records of RFC 4180, also with bare line feeds. Empty lines are left out. @throws MalformedCsv */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (let at = 0; at < text.length || record.length > 0;) {
    const isQuoted = text[at] === '"';
    const end = isQuoted ? endOfQuoted(text, at) : endOfPlain(text, at);
    after.lastIndex = end;
    const [separator] = after.exec(text) ?? [];
    if (separator === undefined) throw new MalformedCsv(records.length);
    record.push(isQuoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end));
    at = end + separator.length;
    if (separator === ',') continue;
    if (record.length > 1 || isQuoted || record[0] !== '') records.push(record);
    record = [];
  }
  return records;
}

function endOfPlain(text: string, start: number): number {
  special.lastIndex = start;
  return special.exec(text)?.index ?? text.length;
}

/** Behind the closing quote; behind the text if there is none. */
function endOfQuoted(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length + 1;
    if (text[at + 1] !== '"') return at + 1;
    at += 2;
  }
}
