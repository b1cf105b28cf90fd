import Table from 'cli-table3';
import { callService, pretty, type ServiceCall } from './call-service.js';
import { readSystem } from './system.js';

/** The body of a successful answer. @throws Error with the service's own error text for a status of 400 or more */
export async function ask<T>(call: ServiceCall): Promise<T> {
  const { status, body } = await callService(readSystem(), call);
  if (status < 400) return body as T;
  const { error } = body as { error?: unknown };
  throw new Error(typeof error === 'string' ? `${error} (${status})` : `${call.service} answered ${status}`);
}

const maxEntries = 10_000;

/** An entry of an API's list. */
export type Entry = Record<string, unknown>;

/** All pages of a list (D8), up to 10,000 entries. A longer list adds a line on standard error. */
export async function askForAll(call: ServiceCall, name: string): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const separator = call.path.includes('?') ? '&' : '?';
    const path = `${call.path}${separator}limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page: Entry = await ask({ ...call, path });
    all.push(...(page[name] as Entry[]));
    cursor = (page['nextCursor'] as string | null | undefined) ?? null;
    if (cursor !== null && all.length >= maxEntries) {
      process.stderr.write(`These are the first ${all.length} entries; there are more.\n`);
      break;
    }
  }
  return all;
}

/** The path with the filters that are set. */
export function filtered(path: string, filters: object): string {
  const query = new URLSearchParams(filters as Record<string, string>);
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}

/**
 * Prints a list as a table, or as JSON.
 * @param columns by title: the field to show, or a function that makes its text
 */
export function printList<T>(
  entries: readonly T[],
  columns: Record<string, (keyof T & string) | ((entry: T) => string)>,
  json?: boolean,
): void {
  if (json) {
    console.log(pretty(entries));
    return;
  }
  const table = new Table({ head: Object.keys(columns), style: { head: [], border: [] } });
  for (const entry of entries)
    table.push(
      Object.values(columns).map((column) =>
        typeof column === 'function' ? column(entry) : cell(entry[column]),
      ),
    );
  console.log(table.toString());
}

function cell(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join('\n');
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
