import type { CalendarDay } from '../calendar.js';
import { type Bill, type BilledId, type Price, priceOf } from './statements.js';

/** An order at a pharmacy as the router has it. */
export interface StagedOrder {
  submissionId: string;
  pharmacyOrderId: string;
  /** Null for an order of another client of the router. */
  reference: string | null;
  article: string | null;
  status: string;
  shippedOn: CalendarDay | null;
}

/** Who is asked about the order ids of a statement. */
export interface BillSources {
  /** Orders that the pharmacy shipped on the days of the statement. */
  listStaged: (pharmacyOrderIds: readonly string[]) => Promise<StagedOrder[]>;
  /** The router's current state. */
  findBilled: (pharmacyOrderIds: readonly string[]) => Promise<StagedOrder[]>;
  listOwn: (
    references: readonly string[],
  ) => Promise<{ reference: string; taskId: string | null; paidBy: string | null }[]>;
  listBills: (pharmacyOrderIds: readonly string[]) => Promise<(Bill & { pharmacyOrderId: string })[]>;
  listPrices: () => Promise<Price[]>;
}

/**
 * Reads all that is known under order ids of a pharmacy (D133). The router is asked for those that are not staged, and
 * with `again` for all of them.
 */
export async function readBilledIds(
  sources: BillSources,
  ids: readonly string[],
  { again = false } = {},
): Promise<BilledId[]> {
  const staged = byId(await sources.listStaged(ids));
  const asked = ids.filter((id) => again || !staged.has(id));
  const found = byId(asked.length > 0 ? await sources.findBilled(asked) : []);
  const orders = new Map([...staged, ...found]);
  const references = [...orders.values()].flatMap(({ reference }) => reference ?? []);
  const own = new Map((await sources.listOwn(references)).map((one) => [one.reference, one]));
  const bills = await sources.listBills(ids);
  const prices = await sources.listPrices();
  return ids.map((pharmacyOrderId) => {
    const order = orders.get(pharmacyOrderId);
    const known = own.get(order?.reference ?? '');
    return {
      pharmacyOrderId,
      order: order
        ? {
            ...order,
            taskId: known?.taskId ?? null,
            paidBy: known?.paidBy ?? null,
            isDue: staged.has(pharmacyOrderId),
          }
        : null,
      bills: bills.filter((bill) => bill.pharmacyOrderId === pharmacyOrderId),
      priceOn: (day) => priceOf(prices, order?.article ?? null, day),
    };
  });
}

const byId = (orders: readonly StagedOrder[]) =>
  new Map(orders.map((order) => [order.pharmacyOrderId, order]));
