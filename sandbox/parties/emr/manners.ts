import { z } from 'zod';
import { Ledger } from '../../ledger.js';

const form = z.strictObject({
  /** How a create is answered; `null` and `empty` leave only its `Location`. */
  create: z.enum(['resource', 'null', 'empty']).default('resource'),
  /** Whether `If-None-Exist` works. */
  conditional: z.boolean().default(true),
  /** Entries of a search's page; null for all in one. */
  page: z.int().min(1).nullable().default(null),
});
export type Manners = z.infer<typeof form>;

export const usualManners: Manners = form.parse({});

/** How the EMR answers, as real servers differ. */
export class EmrManners {
  private last = usualManners;
  private readonly ledger: Ledger<Manners>;

  constructor(file: string) {
    this.ledger = new Ledger<Manners>(file, (manners) => (this.last = manners));
  }

  get current(): Manners {
    return this.last;
  }

  set(given: unknown): Manners {
    const manners = form.parse(given);
    this.ledger.append(manners);
    this.last = manners;
    return manners;
  }

  close(): void {
    this.ledger.close();
  }
}

/** The parameters of a search, with those of its page. */
export function pageOf(query: Record<string, unknown>, size: number) {
  const params = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, String(value)]),
    ),
  );
  const count = Math.min(Number(params.get('_count') ?? size), size);
  params.set('_count', String(count));
  return { params, count, offset: Number(params.get('_offset') ?? 0) };
}

/** The address of the page after this one; undefined for the last one. */
export function nextPage(
  address: string,
  { params, count, offset }: ReturnType<typeof pageOf>,
  total: number,
): string | undefined {
  if (offset + count >= total) return undefined;
  const next = new URLSearchParams(params);
  next.set('_offset', String(offset + count));
  return `${address}?${next.toString()}`;
}
