import type { FastifyRequest } from 'fastify';
import { MalformedCsv, parseCsv } from '../../platform/csv.js';
import { HttpError, InvalidField } from '../http-errors.js';

const columns = ['pharmacyOrderId', 'amountCents', 'shippedOn', 'description'];
const required = columns.slice(0, 2);

/** Stands for a record that is no line. */
export class BadRecord {
  constructor(readonly message: string) {}
}

/** A statement's body in the form of JSON, if it is `text/csv` (D133). @throws HttpError 400, InvalidField */
export function readStatementCsv({ headers, query, rawBody }: FastifyRequest): unknown {
  if (!/^text\/csv\s*(?:;|$)/i.test(headers['content-type'] ?? '')) return undefined;
  const { from, to } = query as { from?: unknown; to?: unknown };
  return { from, to, lines: linesOf(rawBody) };
}

function linesOf(bytes: Buffer): unknown[] {
  const [names = [], ...records] = recordsOf(bytes);
  if (required.some((name) => !names.includes(name)) || new Set(names).size < names.length)
    throw new InvalidField('lines', `Must have a header with ${columns.join(', ')}`);
  return records.map((record) => {
    if (record.length !== names.length) return new BadRecord('Must have as many cells as the header');
    const cells = names.flatMap((name, at) => {
      const text = record[at] ?? '';
      return text === '' || !columns.includes(name) ? [] : [[name, text]];
    });
    const { amountCents, ...line } = Object.fromEntries(cells) as Record<string, string>;
    const isWhole = amountCents !== undefined && /^-?\d{1,15}$/.test(amountCents);
    return { ...line, amountCents: isWhole ? Number(amountCents) : amountCents };
  });
}

function recordsOf(bytes: Buffer): string[][] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HttpError(400, 'Malformed CSV: not valid UTF-8');
  }
  try {
    return parseCsv(text);
  } catch (error) {
    if (!(error instanceof MalformedCsv)) throw error;
    throw new InvalidField(error.record === 0 ? 'lines' : `lines.${error.record - 1}`, 'Malformed CSV');
  }
}
