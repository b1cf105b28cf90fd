import { type Books, type CloseFact, judge } from './daily-close.js';
import { chargedOrder } from './shipments.js';

export type OwnBooks = Omit<Books, 'facts'>;
interface Charge {
  id: string;
  cents: number;
  intentId: string | null;
}
interface Refund {
  id: string;
  cents: number;
  chargeId: string | null;
}

/** Who is asked about a reference. */
export interface BookSources {
  /** The facts of all closes; those of the close that is made are fresh. */
  listFacts: (references: readonly string[]) => Promise<(CloseFact & { reference: string })[]>;
  listOwnBooks: (references: readonly string[]) => Promise<OwnBooks[]>;
  ofIntent: (intentId: string) => Promise<{ charges: Charge[]; refunds: Refund[] }>;
  refundsOf: (chargeId: string) => Promise<Refund[]>;
  /** Our accepted order by its reference, or by the router's id; `lost`: the pharmacy does not have it (D138). */
  findOrderOf: (reference: string) => Promise<{ id: string; detail: string } | 'lost' | undefined>;
  /** Ids of the labels of orders. @param known those that are known already */
  labelsOf: (submissionIds: readonly string[], known: readonly string[]) => Promise<readonly string[]>;
}

/**
 * Reads all that is known of references. A line that would differ is read once more, at the router and the external
 * services. So the edge of a day or a late answer is no difference (D132).
 */
export async function readBooks(sources: BookSources, references: readonly string[]): Promise<Books[]> {
  const facts = new Map<string, CloseFact[]>();
  for (const { reference, ...fact } of await sources.listFacts(references))
    facts.set(reference, [...(facts.get(reference) ?? []), fact]);
  const all: Books[] = [];
  for (const own of await sources.listOwnBooks(references)) {
    const books = { ...own, facts: facts.get(own.reference) ?? [] };
    const differs = judge(books).some(({ state }) => state === 'difference');
    all.push(differs ? await lookedAgain(sources, books) : books);
  }
  return all;
}

async function lookedAgain(sources: BookSources, books: Books): Promise<Books> {
  const { reference, payment, facts } = books;
  const of = (kind: CloseFact['kind']) => facts.filter((fact) => fact.kind === kind);
  const fresh = new Set(facts.filter(({ isFresh }) => isFresh).map(({ kind, id }) => `${kind} ${id}`));
  const seen = (kind: CloseFact['kind'], id: string, detail: string | null, cents = 0): CloseFact => ({
    kind,
    id,
    detail,
    cents,
    isFresh: fresh.has(`${kind} ${id}`),
  });
  const asRefund = ({ id, cents, chargeId }: Refund) => seen('refund', id, chargeId, cents);

  let { isCancelled } = books;
  let [charges, refunds, placed, labels] = [of('charge'), of('refund'), of('order'), of('label')];
  const intentId = payment?.intentId ?? null;
  if (intentId !== null) {
    const now = await sources.ofIntent(intentId);
    charges = now.charges.map((charge) => seen('charge', charge.id, charge.intentId, charge.cents));
    refunds = now.refunds.map(asRefund);
  } else {
    const chargeIds = new Set([
      ...charges.map(({ id }) => id),
      ...refunds.flatMap(({ detail }) => detail ?? []),
    ]);
    refunds = [];
    for (const id of chargeIds) refunds.push(...(await sources.refundsOf(id)).map(asRefund));
  }
  if (placed.length === 0) {
    const found = await sources.findOrderOf(chargedOrder(reference));
    if (found === 'lost') isCancelled = true;
    else if (found) placed = [seen('order', found.id, found.detail)];
  }
  if (labels.length > 0 || placed.length > 0) {
    const known = labels.map(({ id }) => id);
    const ids = await sources.labelsOf([reference, ...placed.map(({ id }) => id)], known);
    labels = ids.map((id) => seen('label', id, null));
  }
  const rest = facts.filter(({ kind }) => kind === 'payment' || kind === 'repaid');
  return { ...books, isCancelled, facts: [...placed, ...charges, ...refunds, ...labels, ...rest] };
}
