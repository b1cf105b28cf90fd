import { z } from 'zod';
import { searchOrders } from '../../db/router/search.js';
import { foundOrder } from '../../integrations/worklist/search.js';
import { text } from '../../platform/http/text.js';
import type { App, ServiceContext } from '../context.js';
import { fieldErrors } from '../http-errors.js';

const found = z.object({ orders: z.array(foundOrder.meta({ id: 'FoundOrder' })) });

/** Finds orders for the desk (D134). The search text stands in the body only. */
export function searchRoutes(signed: App, { sql }: ServiceContext): void {
  signed.post(
    '/rx/search',
    {
      config: { access: { action: 'desk.lookup' } },
      schema: {
        tags: ['Work items'],
        security: [{ signature: [] }],
        summary: "Find orders by their id, the pharmacy's id or a tracking number",
        body: z.object({ q: text(200).min(1) }).meta({ id: 'OrderSearch' }),
        response: { 200: found, ...fieldErrors(400, 401, 403, 413, 415, 429, 500) },
      },
    },
    async ({ accessed, body: { q } }) => {
      const orders = await searchOrders(sql, q);
      accessed.records = orders.map(({ id }) => id);
      return { orders: orders.map((order) => ({ ...order, at: order.at.toISOString() })) };
    },
  );
}
