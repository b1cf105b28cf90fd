import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Book, listLines, type StoredLine } from '../../db/orchestrator/book-lines.js';
import type { Sql } from '../../db/client.js';
import { csvLine, csvType, wantsCsv } from '../../platform/csv.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { asShown, type lineQuery } from './line-contract.js';

const csvColumns = [
  'id',
  'reference',
  'taskId',
  'state',
  'kind',
  'because',
  'ours',
  'theirs',
  'settled',
] as const;

/** All lines of a book as CSV with a header, read page by page. */
const csvOf = (sql: Sql, book: Book, state: StoredLine['state'] | undefined): Readable =>
  Readable.from(rows((after) => listLines(sql, book, { state, after, limit: 1_000 })));

async function* rows(page: (after: string | undefined) => Promise<readonly StoredLine[]>) {
  yield csvLine(csvColumns);
  let after: string | undefined;
  do {
    const lines = await page(after);
    for (const line of lines.map(asShown))
      yield csvLine(
        csvColumns.map((column) => {
          const value = line[column];
          return value !== null && typeof value === 'object' ? JSON.stringify(value) : (value ?? '');
        }),
      );
    after = lines.at(-1)?.id;
  } while (after !== undefined);
}

type LineQuery = z.infer<typeof lineQuery>;

/** The lines of a book: a page, or all of them as CSV. */
export const answerLines = <B extends Book>(
  sql: Sql,
  book: B,
  { headers, query }: { headers: FastifyRequest['headers']; query: LineQuery },
  reply: FastifyReply,
) =>
  wantsCsv(headers) ? reply.type(csvType).send(csvOf(sql, book, query.state)) : pageOfLines(sql, book, query);

async function pageOfLines<B extends Book>(sql: Sql, book: B, { state, limit, cursor }: LineQuery) {
  const after = decodeCursor(cursor, z.uuid());
  const { page, nextCursor } = await pageOf(
    limit,
    (limit) => listLines(sql, book, { state, after, limit }),
    ({ id }) => id,
  );
  return { lines: page.map(asShown), nextCursor };
}
