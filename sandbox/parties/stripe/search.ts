import { z } from 'zod';
import { paging, text } from './endpoint.js';
import { invalid } from './errors.js';

const CLAUSE = /^\s*(-?)(?:metadata\[(['"])(.+?)\2\]|(\w+))\s*:\s*(?:(['"])(.*?)\5|(\d+))\s*$/;

interface Found {
  metadata: Record<string, string>;
}

/**
 * Parses exact clauses on metadata and given fields, with `-` and AND.
 * @throws StripeFailure 400 for other syntax
 */
function matcher<T extends Found>(query: string, fields: readonly (keyof T)[]): (object: T) => boolean {
  const unclear = () => invalid('We were unable to parse your search query.', { param: 'query' });
  const clauses = query.split(/\sAND\s/i).map((clause) => {
    const match = CLAUSE.exec(clause);
    if (!match) throw unclear();
    const [, minus, , metadataKey, name, , quoted, number] = match;
    const field = fields.find((known) => known === name);
    if (metadataKey === undefined && field === undefined) throw unclear();
    const value = quoted ?? number;
    return (object: T): boolean => {
      const actual = field === undefined ? object.metadata[metadataKey ?? ''] : object[field];
      return (actual !== undefined && String(actual) === value) !== (minus === '-');
    };
  });
  return (object) => clauses.every((holds) => holds(object));
}

export const searchForm = z.strictObject({ query: text, limit: paging.limit, page: text.optional() });

/** A page of search results, newest first. */
export function search<T extends Found>(
  url: string,
  all: readonly T[],
  fields: readonly (keyof T)[],
  { query, limit = 10, page: from = '0' }: z.infer<typeof searchForm>,
) {
  const found = all.filter(matcher(query, fields));
  const start = Number(from);
  const next = start + limit;
  return {
    object: 'search_result',
    url: `/v1${url}`,
    has_more: found.length > next,
    next_page: found.length > next ? String(next) : null,
    data: found.slice(start, next),
  };
}
