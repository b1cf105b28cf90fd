import type { BillSources } from '../../domain/orchestrator/bill-books.js';
import type { Queryable } from '../client.js';
import { listOwnBooks } from './closes.js';
import { listPrices } from './prices.js';
import { listBills, listStagedOrders, type Statement, underTasks } from './statements.js';

/** Where the reconciliation of a statement looks. @param findBilled asks the router */
export const billSources = (
  sql: Queryable,
  statement: Pick<Statement, 'id' | 'pharmacy'>,
  findBilled: BillSources['findBilled'],
): BillSources => ({
  findBilled: async (ids) => underTasks(sql, await findBilled(ids)),
  listStaged: (ids) => listStagedOrders(sql, statement.id, ids),
  listOwn: (references) => listOwnBooks(sql, references),
  listBills: (ids) => listBills(sql, statement, ids),
  listPrices: () => listPrices(sql, statement.pharmacy),
});
