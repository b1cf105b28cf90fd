import { listPrices, putPrice } from '../../db/orchestrator/prices.js';
import type { App, ServiceContext } from '../context.js';
import { issueErrors } from '../http-errors.js';
import { adminKeysOnly } from '../plugins/signed.js';
import * as contract from './statement-contract.js';

const common = { tags: ['Statements'], security: [{ signature: [] }] };
const access = { none: 'prices of articles, nobody’s prescription' } as const;

/** The prices that pharmacies bill for an article (D133), for keys with the scope `admin`. */
export function priceRoutes(signed: App, { sql }: ServiceContext): void {
  signed.get(
    '/orchestrator/prices',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'List the prices of pharmacies',
        response: { 200: contract.prices, ...issueErrors(401, 403, 429, 500) },
      },
    },
    async () => ({ prices: await listPrices(sql) }),
  );

  signed.put(
    '/orchestrator/prices/:pharmacy/:article',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Set what a pharmacy asks for an article from a day on',
        description: 'The service judges later statements by this price. Earlier prices hold until that day.',
        params: contract.priceParams,
        body: contract.newPrice,
        response: { 200: contract.onePrice, ...issueErrors(400, 401, 403, 413, 415, 429, 500) },
      },
    },
    async ({ params, body }) => ({ price: await putPrice(sql, { ...params, ...body }) }),
  );
}
