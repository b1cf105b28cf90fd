import Table from 'cli-table3';
import { callService, pretty, type ServiceCall } from './call-service.js';
import { readSystem } from './system.js';

/** A call whose refusal is told as one sentence. @throws Error when the service refuses */
export async function ask<T>(call: ServiceCall): Promise<T> {
  const { status, body } = await callService(readSystem(), call);
  if (status < 400) return body as T;
  const { error } = body as { error?: unknown };
  throw new Error(typeof error === 'string' ? `${error} (${status})` : `${call.service} answered ${status}`);
}

/** What a person can look through, and a table can hold. */
const mostEntries = 10_000;

/** The entries of a list with pages (D8), and a line that says so where there are more than anybody looks through. */
export async function askForAll<T>(call: ServiceCall, name: string): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const separator = call.path.includes('?') ? '&' : '?';
    const path = `${call.path}${separator}limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page: Record<string, unknown> = await ask({ ...call, path });
    all.push(...(page[name] as T[]));
    cursor = (page['nextCursor'] as string | null | undefined) ?? null;
    if (cursor !== null && all.length >= mostEntries) {
      process.stderr.write(`These are the first ${all.length} entries; there are more.\n`);
      break;
    }
  }
  return all;
}

/** Prints a list as a table with these columns, or as JSON. */
export function printList<T>(
  entries: readonly T[],
  columns: Record<string, (entry: T) => string>,
  json?: boolean,
): void {
  if (json) {
    console.log(pretty(entries));
    return;
  }
  const table = new Table({ head: Object.keys(columns), style: { head: [], border: [] } });
  for (const entry of entries) table.push(Object.values(columns).map((column) => column(entry)));
  console.log(table.toString());
}
