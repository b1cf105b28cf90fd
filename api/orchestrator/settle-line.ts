import { addDays } from '../../domain/calendar.js';
import { readBilledIds } from '../../domain/orchestrator/bill-books.js';
import { readBooks } from '../../domain/orchestrator/close-books.js';
import { judge } from '../../domain/orchestrator/daily-close.js';
import { judgeBills } from '../../domain/orchestrator/statements.js';
import {
  type Book,
  findLine,
  type LineOf,
  listOpenLines,
  settleLine,
  type StoredLine,
} from '../../db/orchestrator/book-lines.js';
import { billSources } from '../../db/orchestrator/bill-sources.js';
import { earliestFact, listFacts, listOwnBooks } from '../../db/orchestrator/closes.js';
import { findStatement } from '../../db/orchestrator/statements.js';
import { closeSources, nightOf } from '../../integrations/close-sources.js';
import { ownServices } from '../../integrations/own-services.js';
import { createOrderClient } from '../../integrations/router/orders.js';
import { createShippedOrderClient } from '../../integrations/router/shipped-orders.js';
import { createShippingClient } from '../../integrations/shipping/client.js';
import { createProcessorLedger } from '../../integrations/stripe/ledger.js';
import { startOfDay } from '../../platform/start-of-day.js';
import type { ServiceContext } from '../context.js';
import { conflict, found, idOf, unavailable } from '../http-errors.js';
import { outboundAs } from '../outcomes.js';
import { asShown } from './line-contract.js';

const callTimeoutMs = 5_000;
const linesAtOnce = 100;

interface Settlement {
  answer: 'recheck' | 'accept';
  by: string;
  note: string | null;
}

/** Settles lines of closes and statements: by a look at their reference alone, or by word (D132, D133). */
export function createSettling({ sql, config }: ServiceContext) {
  const own = config.service('orchestrator');
  const { router } = ownServices(own);
  const timeZone = config.BUSINESS_TIMEZONE;
  const shipped = createShippedOrderClient(router, timeZone);
  const parties = {
    orders: createOrderClient(router),
    shipping: createShippingClient({
      party: 'Shipping service',
      baseUrl: own.SHIPPING_BASE_URL,
      keyId: own.SHIPPING_API_KEY,
      secret: own.SHIPPING_API_SECRET,
    }),
    ledger: createProcessorLedger({ apiBase: own.STRIPE_API_BASE, secretKey: own.STRIPE_SECRET_KEY }),
  };

  const limitsNow = () => ({ timeoutMs: callTimeoutMs, signal: AbortSignal.timeout(4 * callTimeoutMs) });

  /** Reads the current state of the line's reference. */
  async function judgeAgain(book: Book, { reference, kind, theirs, ours }: StoredLine): Promise<Judged[]> {
    if ('date' in book) {
      // A label may have been made, or taken back, at any time since.
      const since = kind?.includes('label')
        ? { from: await earliestFact(sql, book.date), to: new Date(), isOfAll: true }
        : nightOf(startOfDay(addDays(book.date, 1), timeZone));
      const sources = {
        ...closeSources(parties, since, limitsNow()),
        listFacts: (references: readonly string[]) => listFacts(sql, book.date, references),
        listOwnBooks: (references: readonly string[]) => listOwnBooks(sql, references),
      };
      return (await readBooks(sources, [reference])).flatMap(judge);
    }
    const statement = found(await findStatement(sql, book.statementId), 'Statement');
    const sources = billSources(sql, statement, (ids) =>
      shipped.findBilled(statement.pharmacy, ids, limitsNow()),
    );
    const id = String((theirs ?? ours)?.['pharmacyOrderId']);
    return (await readBilledIds(sources, [id], { again: true }))
      .flatMap(judgeBills)
      .filter((line) => line.theirs?.['line'] === theirs?.['line']);
  }

  /** True if a line is in order by now. */
  async function isInOrder(book: Book, line: StoredLine): Promise<boolean> {
    const lines = await judgeAgain(book, line).catch(outboundAs(() => unavailable()));
    return !lines.some(
      ({ state, kind }) => state === 'difference' && (kind === line.kind || 'statementId' in book),
    );
  }

  /** @throws HttpError 404, or 409 for a line that still differs */
  async function settle<B extends Book>(book: B, lineId: string, settlement: Settlement): Promise<LineOf<B>> {
    const id = idOf(lineId, 'Line');
    const line = found(await findLine(sql, book, id), 'Line');
    if (line.settled || line.state !== 'difference') return line;
    if (settlement.answer === 'recheck' && !(await isInOrder(book, line)))
      throw conflict('Still different', { line: asShown(line) });
    await settleLine(sql, book, id, { at: new Date().toISOString(), ...settlement });
    return found(await findLine(sql, book, id), 'Line');
  }

  /** Looks again at every open line of a book. @returns how many still differ */
  async function recheckAll(book: Book, by: string): Promise<number> {
    let [left, after]: [number, string | null] = [0, null];
    for (;;) {
      const page: StoredLine[] = await listOpenLines(sql, book, after, linesAtOnce);
      for (const line of page) {
        after = line.id;
        if (await isInOrder(book, line))
          await settleLine(sql, book, line.id, {
            at: new Date().toISOString(),
            by,
            answer: 'recheck',
            note: null,
          });
        else left += 1;
      }
      if (page.length < linesAtOnce) return left;
    }
  }

  return { settle, recheckAll };
}

type Judged = Pick<StoredLine, 'state' | 'kind'>;
