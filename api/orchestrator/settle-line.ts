import { addDays, type CalendarDay } from '../../domain/calendar.js';
import { readBooks } from '../../domain/orchestrator/close-books.js';
import { judge } from '../../domain/orchestrator/daily-close.js';
import {
  findCloseLine,
  listFacts,
  listOpenLines,
  listOwnBooks,
  settleLine,
  type StoredLine,
} from '../../db/orchestrator/closes.js';
import { closeSources } from '../../integrations/close-sources.js';
import { ownServices } from '../../integrations/own-services.js';
import { createOrderClient } from '../../integrations/router/orders.js';
import { createShippingClient } from '../../integrations/shipping/client.js';
import { createProcessorLedger } from '../../integrations/stripe/ledger.js';
import { startOfDay } from '../../platform/start-of-day.js';
import type { ServiceContext } from '../context.js';
import { conflict, found, idOf, unavailable } from '../http-errors.js';
import { outboundAs } from '../outcomes.js';
import { asShown } from './close-contract.js';

const callTimeoutMs = 5_000;
const linesAtOnce = 100;

interface Settlement {
  answer: 'recheck' | 'accept';
  by: string;
  note: string | null;
}

/** Settles lines of closed days: by a look at their reference alone, or by word (D132). */
export function createSettling({ sql, config }: ServiceContext) {
  const own = config.service('orchestrator');
  const parties = {
    orders: createOrderClient(ownServices(own).router),
    shipping: createShippingClient({
      party: 'Shipping service',
      baseUrl: own.SHIPPING_BASE_URL,
      keyId: own.SHIPPING_API_KEY,
      secret: own.SHIPPING_API_SECRET,
    }),
    ledger: createProcessorLedger({ apiBase: own.STRIPE_API_BASE, secretKey: own.STRIPE_SECRET_KEY }),
  };

  /** Whether a line is in order by now. */
  async function isInOrder(date: CalendarDay, { reference, kind }: StoredLine): Promise<boolean> {
    const midnight = startOfDay(addDays(date, 1), config.BUSINESS_TIMEZONE);
    const limits = { timeoutMs: callTimeoutMs, signal: AbortSignal.timeout(4 * callTimeoutMs) };
    const sources = {
      ...closeSources(parties, midnight, limits),
      listFacts: (references: readonly string[]) => listFacts(sql, date, references),
      listOwnBooks: (references: readonly string[]) => listOwnBooks(sql, references),
    };
    const books = await readBooks(sources, [reference]).catch(outboundAs(() => unavailable()));
    return !books.flatMap(judge).some((line) => line.state === 'difference' && line.kind === kind);
  }

  /** @throws HttpError 404, or 409 for a line that still differs */
  async function settle(date: CalendarDay, lineId: string, settlement: Settlement): Promise<StoredLine> {
    const id = idOf(lineId, 'Line');
    const line = found(await findCloseLine(sql, date, id), 'Line');
    if (line.settled || line.state !== 'difference') return line;
    if (settlement.answer === 'recheck' && !(await isInOrder(date, line)))
      throw conflict('Still different', { line: asShown(line) });
    await settleLine(sql, date, id, { at: new Date().toISOString(), ...settlement });
    return found(await findCloseLine(sql, date, id), 'Line');
  }

  /** Looks again at every open line of a day. @returns how many still differ */
  async function recheckAll(date: CalendarDay, by: string): Promise<number> {
    let [left, after]: [number, string | null] = [0, null];
    for (;;) {
      const page: StoredLine[] = await listOpenLines(sql, date, after, linesAtOnce);
      for (const line of page) {
        after = line.id;
        if (await isInOrder(date, line))
          await settleLine(sql, date, line.id, {
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
