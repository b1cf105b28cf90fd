import type { CalendarDay } from '../../domain/calendar.js';
import { type Books, type CloseFact, judge } from '../../domain/orchestrator/daily-close.js';
import type { Queryable } from '../../db/client.js';
import { listFacts, listOwnBooks } from '../../db/orchestrator/closes.js';
import type { OrderClient } from '../../integrations/router/orders.js';
import type { ProcessorLedger } from '../../integrations/stripe/ledger.js';
import type { CallLimits } from '../../platform/http/outbound.js';

export interface BookSources {
  sql: Queryable;
  orders: OrderClient;
  ledger: ProcessorLedger;
}

/**
 * Reads all that is known of references. What would differ is asked for once more, at the router and the processor, so
 * that a day's edge or a late answer is no difference (D132).
 */
export async function readBooks(
  sources: BookSources,
  date: CalendarDay,
  references: readonly string[],
  limits: CallLimits,
): Promise<Books[]> {
  const { sql } = sources;
  const facts = Map.groupBy(await listFacts(sql, date, references), ({ reference }) => reference);
  const all: Books[] = [];
  for (const { status, intentId, amountCents, refundedCents, hasCoupon, ...own } of await listOwnBooks(
    sql,
    references,
  )) {
    const books: Books = {
      ...own,
      facts: facts.get(own.reference) ?? [],
      payment: status && { status, intentId, amountCents, refundedCents, hasCoupon },
    };
    const differs = judge(books).some(({ state }) => state === 'difference');
    all.push(differs ? await lookedAgain(sources, books, limits) : books);
  }
  return all;
}

async function lookedAgain(
  { orders, ledger }: BookSources,
  books: Books,
  limits: CallLimits,
): Promise<Books> {
  const { reference, payment } = books;
  const had = new Map(books.facts.map((fact) => [`${fact.kind} ${fact.id}`, fact]));
  const seen = (fact: Omit<CloseFact, 'isFresh'>): CloseFact => ({
    ...fact,
    isFresh: had.get(`${fact.kind} ${fact.id}`)?.isFresh ?? false,
  });
  const of = (kind: CloseFact['kind']) => books.facts.filter((fact) => fact.kind === kind);

  let [charges, refunds, placed] = [of('charge'), of('refund'), of('order')];
  if (payment?.intentId != null) {
    const now = await ledger.ofIntent(payment.intentId, limits.timeoutMs / 3);
    charges = now.charges.map(({ id, cents, intentId }) => seen({ kind: 'charge', id, cents, detail: intentId }));
    refunds = now.refunds.map(({ id, cents, chargeId }) => seen({ kind: 'refund', id, cents, detail: chargeId }));
  } else if (charges.length + refunds.length > 0) {
    const chargeIds = new Set([...charges.map(({ id }) => id), ...refunds.flatMap(({ detail }) => detail ?? [])]);
    const lists = await Promise.all(
      Array.from(chargeIds, (id) => ledger.refundsOf(id, limits.timeoutMs / 3)),
    );
    refunds = lists
      .flat()
      .map(({ id, cents, chargeId }) => seen({ kind: 'refund', id, cents, detail: chargeId }));
  }
  // A label is under the router's id where no close has its order.
  if (placed.length === 0) {
    const found = await orders.findOrderOf(reference, { ...limits, timeoutMs: limits.timeoutMs / 3 });
    if (found) placed = [{ kind: 'order', ...found, isFresh: false, cents: 0 }];
  }
  const rest = books.facts.filter(({ kind }) => !['charge', 'refund', 'order'].includes(kind));
  return { ...books, facts: [...placed, ...charges, ...refunds, ...rest] };
}
