import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { shippedAt, type Order, type Pharmacy } from '../order.js';
import type { Outside } from '../outside.js';

const priceForm = z.strictObject({ article: z.string().min(1), cents: z.int().min(0) });
const statementQuery = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  format: z.enum(['json', 'csv']).default('json'),
});

interface StatementLine {
  pharmacyOrderId: string;
  amountCents: number;
  /** UTC. */
  shippedOn: string;
  description: string;
}
const columns = ['pharmacyOrderId', 'amountCents', 'shippedOn', 'description'] as const;

/**
 * Adds the calls that set a pharmacy's prices and answer its statement. A statement has the orders that it shipped
 * from one day to another, both included, oldest first. Test orders are left out.
 * @param names as in `controlOrders`
 * @param articleOf the article that an order's body names
 */
export function controlStatements(
  scope: FastifyInstance,
  { orders, prices }: Pick<Outside, 'orders' | 'prices'>,
  pharmacy: Pharmacy,
  names: readonly string[],
  articleOf: (order: Order) => string,
): void {
  const linesOf = (from: string, to: string): StatementLine[] =>
    orders
      .placedAt(pharmacy, false)
      .flatMap((order) => {
        const at = shippedAt(order);
        const shippedOn = at?.slice(0, 10);
        if (at === undefined || shippedOn === undefined || shippedOn < from || shippedOn > to) return [];
        const description = articleOf(order);
        const amountCents = prices.centsOf(pharmacy, description);
        return [{ at, line: { pharmacyOrderId: order.orderId, amountCents, shippedOn, description } }];
      })
      .toSorted((one, other) => one.at.localeCompare(other.at))
      .map(({ line }) => line);

  for (const name of names) {
    const path = `/pharmacies/${name}`;
    scope.get(`${path}/prices`, () => ({ prices: prices.list(pharmacy) }));
    scope.post(`${path}/prices`, (request) => {
      prices.set({ pharmacy, ...priceForm.parse(request.body) });
      return { prices: prices.list(pharmacy) };
    });
    scope.get(`${path}/statement`, (request, reply) => {
      const { from, to, format } = statementQuery.parse(request.query);
      const lines = linesOf(from, to);
      return format === 'csv'
        ? reply.type('text/csv; charset=utf-8').send(asCsv(lines))
        : { from, to, lines };
    });
  }
}

/** RFC 4180 with a header. */
const asCsv = (lines: readonly StatementLine[]): string =>
  [columns, ...lines.map((line) => columns.map((column) => line[column]))]
    .map((cells) => `${cells.map(asCell).join(',')}\r\n`)
    .join('');

const asCell = (value: string | number): string => {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
