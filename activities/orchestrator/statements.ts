import { addDays } from '../../domain/calendar.js';
import { readBilledIds } from '../../domain/orchestrator/bill-books.js';
import { judgeBills } from '../../domain/orchestrator/statements.js';
import type { Sql } from '../../db/client.js';
import {
  findStatement,
  finishStatement,
  nextBilledIds,
  stageOrders,
  writeStatementLines,
} from '../../db/orchestrator/statements.js';
import { billSources } from '../../db/orchestrator/bill-sources.js';
import type { ShippedOrderClient } from '../../integrations/router/shipped-orders.js';
import { startOfDay } from '../../platform/start-of-day.js';
import { callingUntilAccepted, callLimits } from '../calls.js';

const idsAtOnce = 200;

/** The reconciliation of a pharmacy's statement (D133). A statement that was removed is left alone. */
export const createStatementActivities = ({
  sql,
  orders,
  timeZone,
}: {
  sql: Sql;
  orders: ShippedOrderClient;
  timeZone: string;
}) => ({
  /**
   * Reads a page of what the pharmacy shipped on the days of a statement. Safe to retry: each order is stored once.
   * @returns where the next page begins; null after the last one
   */
  async readShipped({
    statementId,
    cursor,
  }: {
    statementId: string;
    cursor: string | null;
  }): Promise<string | null> {
    const statement = await findStatement(sql, statementId);
    if (!statement) return null;
    const { pharmacy, from, to } = statement;
    const period = { from: startOfDay(from, timeZone), to: startOfDay(addDays(to, 1), timeZone) };
    const page = await callingUntilAccepted(() =>
      orders.listShipped({ pharmacy, ...period, cursor }, callLimits()),
    );
    await stageOrders(sql, statementId, page.orders);
    return page.nextCursor;
  },

  /**
   * Matches the next order ids of a statement. Safe to retry: a page's lines are written with the mark behind it.
   * @returns whether there may be more
   */
  async matchBills({ statementId }: { statementId: string }): Promise<boolean> {
    const statement = await findStatement(sql, statementId);
    const next = statement ? await nextBilledIds(sql, statementId, idsAtOnce) : [];
    const [head, last] = [next[0], next.at(-1)];
    if (!statement || !head || !last) return false;
    const sources = billSources(sql, statement, (ids) =>
      callingUntilAccepted(() => orders.findBilled(statement.pharmacy, ids, callLimits())),
    );
    const books = await readBilledIds(
      sources,
      next.map(({ pharmacyOrderId }) => pharmacyOrderId),
    );
    const page = { after: head.matchedTo, to: last.pharmacyOrderId };
    await writeStatementLines(sql, statementId, page, books.flatMap(judgeBills));
    return true;
  },

  /** Ends the reconciliation of a statement. Safe to retry: a reconciled one stays as it is. */
  finishStatement: ({ statementId }: { statementId: string }) => finishStatement(sql, statementId),
});

export type StatementActivities = ReturnType<typeof createStatementActivities>;
